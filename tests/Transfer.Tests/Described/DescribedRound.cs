namespace Transfer.Tests.Described;

/// <summary>One check on one described server, and a folder here.</summary>
/// <param name="description">The server's description.</param>
/// <param name="server">The server.</param>
internal sealed class DescribedRound(Description description, DescribedServer server) : IDisposable
{
    // Before any file is sent, in whole seconds.
    private static readonly DateTimeOffset Modified = new(2024, 2, 29, 23, 59, 58, TimeSpan.Zero);

    private readonly Dictionary<string, byte[]> _planted = [];

    public TempFolder Local { get; } = new();

    public DescribedServer Server => server;

    public UploadOptions Upload => new() { Overwrite = OverwriteMode.Always, Publish = description.Publish };

    public DirectoryOptions UploadTree => new() { Overwrite = OverwriteMode.Always, Publish = description.Publish };

    public SyncOptions Sync => new() { Publish = description.Publish };

    public TransferClient Client(int sessions = 1) => server.Client(sessions, Local["journals"]);

    /// <summary>A file's name, as the system has them.</summary>
    public string Name(string name) => name + description.Suffix;

    /// <summary>A path at the server, as a client names it.</summary>
    public string At(string path) => $"{server.Home}/{path}";

    /// <summary>Puts a file at the server, which no check that fails may lose.</summary>
    public void Plant(string path, byte[] content)
    {
        _planted[path] = content;
        server.Plant(path, content);
    }

    public string AddLocal(string path, byte[] content) => Local.Add(path, content, Modified);

    public void AssertFile(string path, byte[] content)
    {
        var found = server.Read(path);
        Assert.That(found, Is.Not.Null, $"{path} is missing: {string.Join(' ', server.Files)}");
        Same.Bytes(found, content, path);
    }

    /// <summary>All that was planted has its content.</summary>
    public void AssertNothingLost()
    {
        foreach (var (path, content) in _planted) AssertFile(path, content);
    }

    public void Dispose() => Local.Dispose();
}
