using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>One check on one server: a folder of its own at the server, and one here.</summary>
/// <param name="server">The running server.</param>
/// <param name="name">The folders' name.</param>
internal sealed class Round(RealServer server, string name) : IDisposable
{
    /// <summary>In whole seconds, which is all that FTP and SFTP keep.</summary>
    public static readonly DateTime Modified = new(2024, 2, 29, 23, 59, 58, DateTimeKind.Utc);

    private readonly LogLines _lines = new();

    public RealServer Server => server;

    /// <summary>The folder at the server, as the user's paths have it.</summary>
    public string Remote { get; } = $"{server.Home}/{name}";

    /// <summary>The folder here.</summary>
    public string Scratch { get; } = Path.Combine(TestHost.Folder, "foreign", name);

    /// <summary>What clients logged.</summary>
    public string Lines => _lines.ToString();

    /// <summary>The names in the folder at the server.</summary>
    public string[] RemoteNames => [.. Directory.EnumerateFileSystemEntries(Disk(string.Empty)).Select(path => Path.GetFileName(path)!)
        .Order(StringComparer.Ordinal)];

    public void Begin()
    {
        Directory.CreateDirectory(Scratch);
        Directory.CreateDirectory(server.Local(Remote));
        ServerUser.Own(server.Local(Remote));
    }

    public void Dispose()
    {
        Directory.Delete(Scratch, recursive: true);
        Directory.Delete(server.Local(Remote), recursive: true);
        _lines.Dispose();
    }

    public TransferClient Client(Func<TransferClientOptions, TransferClientOptions>? change = null) => server.Client(options =>
    {
        var logged = options with { LoggerFactory = _lines, IdleTimeout = TimeSpan.FromSeconds(15), JournalDirectory = Scratch };
        return change?.Invoke(logged) ?? logged;
    });

    /// <summary>A path below the folder at the server.</summary>
    public string At(string name) => $"{Remote}/{name}";

    /// <summary>The same on this machine's disk.</summary>
    public string Disk(string name) => server.Local($"{Remote}/{name}");

    /// <summary>Puts a file there behind the server's back.</summary>
    public void Plant(string name, byte[] content)
    {
        server.Plant($"{Remote}/{name}", content);
        File.SetLastWriteTimeUtc(Disk(name), Modified);
    }

    /// <summary>Writes a file here.</summary>
    public string LocalFile(string name, byte[] content)
    {
        var path = Path.Combine(Scratch, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        File.SetLastWriteTimeUtc(path, Modified);
        return path;
    }

    /// <summary>Gives the server's user what a test changed there.</summary>
    public void Own() => ServerUser.Own(server.Local(Remote));
}
