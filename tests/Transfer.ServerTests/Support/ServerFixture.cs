using System.Globalization;
using NUnit.Framework.Interfaces;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Support;

/// <summary>Starts one server for a fixture's tests and gives each test a remote and a local folder of its own.</summary>
public abstract class ServerFixture(ServerKind kind, ServerVariant variant)
{
    private const int LogTail = 20_000;
    private static int _count;

    private RealServer? _server;
    private ServerLogMark _mark = new();
    private LogLines _lines = new();

    protected ServerKind Kind => kind;

    protected ServerVariant Variant => variant;

    protected RealServer Server => _server ?? throw new InvalidOperationException("The server has not started.");

    /// <summary>The server of a fixture that is about FTP.</summary>
    protected FtpServer Ftp => (FtpServer)Server;

    protected bool IsSftp => kind is ServerKind.OpenSsh or ServerKind.ProftpdSftp or ServerKind.SshNet;

    /// <summary>This test's empty folder at the server, such as <c>/t12</c>, below <see cref="RealServer.Home"/>.</summary>
    protected string Remote { get; private set; } = string.Empty;

    /// <summary>This test's empty folder here.</summary>
    protected string Scratch { get; private set; } = string.Empty;

    /// <summary>What the server logged since the test began.</summary>
    protected string Log => Server.LogSince(_mark);

    /// <summary>A fixture that kills its server, or counts its connections, has one of its own.</summary>
    protected virtual bool OwnServer => false;

    /// <summary>
    /// How exact the times are that a folder's listings give: vsftpd has LIST only, which has no time of day for files older than half a
    /// year.
    /// </summary>
    protected TimeSpan ListedPrecision => kind == ServerKind.Vsftpd ? TimeSpan.FromDays(1) : TimeSpan.FromSeconds(1);

    [OneTimeSetUp]
    public async Task StartServer() =>
        _server = OwnServer ? await RealServer.StartAsync(kind, variant) : await TestHost.LendServerAsync(kind, variant);

    [OneTimeTearDown]
    public async Task StopServer()
    {
        if (_server is null) return;
        if (OwnServer) await _server.DisposeAsync();
        else TestHost.GiveBack(kind, variant, _server);
    }

    [SetUp]
    public void MakeFolders()
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"t{Interlocked.Increment(ref _count)}");
        Remote = $"{Server.Home}/{name}";
        Directory.CreateDirectory(Server.Local(Remote));
        ServerUser.Own(Server.Local(Remote));
        _mark = Server.MarkLog();
        _lines = new LogLines();
        Scratch = Directory.CreateDirectory(Path.Combine(TestHost.Folder, "scratch", name)).FullName;
    }

    [TearDown]
    public void RemoveFolders()
    {
        if (TestContext.CurrentContext.Result.Outcome.Status == TestStatus.Failed)
        {
            WriteTail("the server", Log);
            WriteTail("the clients", _lines.ToString());
        }

        _lines.Dispose();
        Directory.Delete(Server.Local(Remote), recursive: true);
        Directory.Delete(Scratch, recursive: true);
    }

    /// <summary>A client of the server. What it logs is shown when the test fails.</summary>
    protected TransferClient Client(Func<TransferClientOptions, TransferClientOptions>? change = null) => Server.Client(options =>
    {
        var logged = options with { LoggerFactory = _lines };
        return change?.Invoke(logged) ?? logged;
    });

    /// <summary>Writes a local file with a modification time in whole seconds, which is all that FTP and SFTP keep.</summary>
    protected string LocalFile(string name, byte[] content, DateTime? modified = null)
    {
        var path = Path.Combine(Scratch, name);
        File.WriteAllBytes(path, content);
        File.SetLastWriteTimeUtc(path, modified ?? new DateTime(2024, 2, 29, 23, 59, 58, DateTimeKind.Utc));
        return path;
    }

    /// <summary>What is in this test's folder at the server, hidden files included.</summary>
    protected string[] RemoteNames() =>
        [.. Directory.EnumerateFileSystemEntries(Server.Local(Remote)).Select(path => Path.GetFileName(path)!)
            .Order(StringComparer.Ordinal)];

    private static void WriteTail(string whose, string log) =>
        TestContext.Out.WriteLine($"--- what {whose} logged\n{(log.Length > LogTail ? "..." + log[^LogTail..] : log)}");
}
