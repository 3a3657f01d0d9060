// Shells begin by compiling, so no more run at once than a small machine has processors; each runs many scripts.
[assembly: LevelOfParallelism(2)]
