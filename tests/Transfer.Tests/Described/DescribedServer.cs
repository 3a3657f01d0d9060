namespace Transfer.Tests.Described;

/// <summary>
/// A server that was written after the documents of one that no test can run. Paths are those below <see cref="Home"/>, as in
/// <c>TREE/A</c>.
/// </summary>
internal abstract class DescribedServer : IAsyncDisposable
{
    /// <summary>The folder of the tests, as a client names it.</summary>
    public abstract string Home { get; }

    /// <summary>The paths of all files.</summary>
    public abstract IReadOnlyList<string> Files { get; }

    /// <summary>A client of that many sessions, whose journals are in a folder.</summary>
    public abstract TransferClient Client(int sessions, string journals);

    /// <summary>The content of a file; null: there is none.</summary>
    public abstract byte[]? Read(string path);

    public abstract void Plant(string path, byte[] content);

    public abstract void PlantFolder(string path);

    public abstract bool HasFolder(string path);

    public abstract ValueTask DisposeAsync();
}
