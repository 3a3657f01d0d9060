// Most of the time tests wait, so fixtures run beside each other. One that watches what is the whole process's, as its memory or what
// anyone of it opens, says that it is NonParallelizable.
[assembly: Parallelizable(ParallelScope.Fixtures)]
[assembly: LevelOfParallelism(4)]
