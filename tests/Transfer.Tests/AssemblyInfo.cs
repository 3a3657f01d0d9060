// For the fixtures that say that their tests may run beside others: most of the time they wait. What is measured runs alone.
[assembly: LevelOfParallelism(4)]
