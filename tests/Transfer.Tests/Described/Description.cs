namespace Transfer.Tests.Described;

/// <summary>A server by its documents.</summary>
/// <param name="StartAsync">Starts it.</param>
internal sealed record Description(Func<Task<DescribedServer>> StartAsync)
{
    /// <summary>The end of file names: some systems want a type, some allow none.</summary>
    public string Suffix { get; init; } = ".TXT";

    /// <summary>The way to send files, where the server's rules for names or its lack of renames leave one only.</summary>
    public PublishMode Publish { get; init; }

    /// <summary>The checks that the server cannot pass, by title, and words of the client's error or of the check's finding.</summary>
    public IReadOnlyDictionary<string, string> Limits { get; init; } = new Dictionary<string, string>();
}
