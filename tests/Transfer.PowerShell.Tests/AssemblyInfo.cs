// Each script has a shell and servers of its own. Shells begin by compiling, so no more run at once than a small machine has processors.
[assembly: LevelOfParallelism(2)]
