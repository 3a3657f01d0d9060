namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>A row of the matrix: something that is to go on every server.</summary>
/// <param name="Title">The row's head.</param>
/// <param name="RunAsync">Does it; throws <see cref="ServerLimitException"/> where the server cannot, and fails where the client does not.
/// </param>
internal sealed record Check(string Title, Func<Round, Task> RunAsync)
{
    /// <summary>All, as the page has them.</summary>
    public static IReadOnlyList<Check> All { get; } =
        [.. FileChecks.All, .. LongFileChecks.All, .. EntryChecks.All, .. FolderChecks.All, .. NameChecks.All];

    public override string ToString() => Title;
}
