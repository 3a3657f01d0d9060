namespace Transfer.Wan.Clients;

/// <summary>A command line.</summary>
/// <param name="Program">The program's path.</param>
/// <param name="Arguments">Its arguments, each as it is.</param>
internal sealed record ClientCommand(string Program, IReadOnlyList<string> Arguments)
{
    /// <summary>Variables besides those of this process.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>What it reads from standard input.</summary>
    public string Input { get; init; } = string.Empty;
}
