namespace Transfer.Cli.Demo;

/// <summary>A row of the demo: a piece of work, done in two ways.</summary>
/// <param name="Name">What is done, for the table.</param>
/// <param name="Files">How many files it is about.</param>
/// <param name="Stock">One file after the other, over one connection.</param>
/// <param name="Ours">The way of this program.</param>
internal sealed record DemoWork(string Name, int Files, TimeSpan Stock, TimeSpan Ours);
