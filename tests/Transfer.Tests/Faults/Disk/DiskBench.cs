using Transfer.Tests.Engine;

namespace Transfer.Tests.Faults.Disk;

/// <summary>Two local folders and a server in memory, for one run of the disk's matrix.</summary>
internal sealed class DiskBench : IAsyncDisposable
{
    private readonly TempFolder _folder = new();

    public DiskBench()
    {
        Client = new MemoryTransferClient(Store);
        Local = new LocalTransferClient(new Uri($"file://{_folder.Path}/"), new LocalTransferOptions { Retry = Samples.SoonAgain });
        Store.AddDirectory("/d");
        Directory.CreateDirectory(Here);
    }

    /// <summary>The folder that everything local is in, the journals too.</summary>
    public string Root => _folder.Path;

    /// <summary>The local side's folder.</summary>
    public string Here => _folder["here"];

    public string Journal => _folder["state/journal"];

    public string Lock => _folder["state/lock"];

    public MemoryStore Store { get; } = new();

    public MemoryTransferClient Client { get; }

    /// <summary>The local side as <c>file:</c>, from the folder of all.</summary>
    public LocalTransferClient Local { get; }

    /// <summary>The local side's files, by their paths in it.</summary>
    public IReadOnlyDictionary<string, byte[]> LocalFiles =>
        _folder.Files.Where(file => file.StartsWith("here/", StringComparison.Ordinal)).ToDictionary(file => file["here/".Length..],
            _folder.Read);

    /// <summary>The server's files, by their paths.</summary>
    public IReadOnlyDictionary<string, byte[]> RemoteFiles => Store.Files.ToDictionary(path => path, path => Store[path]!.Content);

    public void AddLocal(string path, byte[] content) => _folder.Add("here/" + path, content, Samples.Time);

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await Local.DisposeAsync();
        _folder.Dispose();
    }
}
