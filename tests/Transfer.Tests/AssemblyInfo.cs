// Most of the time tests wait, so fixtures run beside each other. One that watches what is the whole process's, as its memory or what
// anyone of it opens, says that it is NonParallelizable. NUnit begins the tests of a fixture with ParallelScope.All behind all other
// fixtures: one whose tests wait leaves that out, or nothing but waiting would be left at the end.
[assembly: Parallelizable(ParallelScope.Fixtures)]
[assembly: LevelOfParallelism(5)]
