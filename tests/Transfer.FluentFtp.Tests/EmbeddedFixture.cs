using FluentFTP;
using Transfer.Testing;

namespace Transfer.FluentFtp.Tests;

/// <summary>An embedded server and a client over FluentFTP for each test.</summary>
public abstract class EmbeddedFixture
{
    protected const string Password = "demo";

    private readonly List<IAsyncDisposable> _open = [];
    private MemoryStore? _store;

    protected FtpTestServer Server { get; private set; } = null!;

    protected MemoryStore Store => _store!;

    /// <summary>A folder of this test, here.</summary>
    protected string Scratch { get; private set; } = string.Empty;

    [SetUp]
    public void MakeScratch() => Scratch = Directory.CreateTempSubdirectory("transfer-fluent-").FullName;

    [TearDown]
    public async Task Close()
    {
        _open.Reverse();
        foreach (var one in _open) await one.DisposeAsync();
        _open.Clear();
        Directory.Delete(Scratch, recursive: true);
    }

    /// <summary>Starts the server and gives a client of it.</summary>
    /// <param name="server">The server's options.</param>
    /// <param name="options">The client's.</param>
    /// <param name="configure">Changes each client of FluentFTP.</param>
    protected async Task<FluentFtpTransferClient> StartAsync(
        FtpTestServerOptions? server = null, TransferClientOptions? options = null, Action<AsyncFtpClient>? configure = null)
    {
        _store = new MemoryStore();
        Server = await FtpTestServer.StartAsync((server ?? new FtpTestServerOptions()) with { Store = _store });
        _open.Add(Server);
        return Connect(options, configure);
    }

    /// <summary>One more client of the server.</summary>
    protected FluentFtpTransferClient Connect(TransferClientOptions? options = null, Action<AsyncFtpClient>? configure = null)
    {
        options ??= new TransferClientOptions { MaxSessions = 1 };
        var retry = new RetryOptions { Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds(20) };
        var client = new FluentFtpTransferClient(() => Create(configure), "/", options with { Retry = retry });
        _open.Add(client);
        return client;
    }

    /// <summary>An application's way to a client of FluentFTP.</summary>
    protected AsyncFtpClient Create(Action<AsyncFtpClient>? configure = null)
    {
        // TLS sessions are resumed under names only.
        var client = new AsyncFtpClient("localhost", "demo", Password, Server.EndPoint.Port);
        client.Config.EncryptionMode = Server.Uri.Scheme switch
        {
            "ftpes" => FtpEncryptionMode.Explicit,
            "ftps" => FtpEncryptionMode.Implicit,
            _ => FtpEncryptionMode.None,
        };
        client.ValidateCertificate += (_, e) => e.Accept = e.Certificate.GetCertHashString() == Server.Certificate!.GetCertHashString();
        configure?.Invoke(client);
        return client;
    }

    protected string LocalFile(string name, int length = 100_000)
    {
        var path = Path.Combine(Scratch, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, Content(length));
        File.SetLastWriteTimeUtc(path, new DateTime(2024, 2, 29, 23, 59, 58, DateTimeKind.Utc));
        return path;
    }

    protected static byte[] Content(int length)
    {
        var bytes = new byte[length];
        for (var i = 0; i < length; i++) bytes[i] = (byte)(i * 31 ^ i >> 8);
        return bytes;
    }

    /// <summary>The commands that the server got, without those of log-ins.</summary>
    protected string[] Commands(params string[] verbs) => [.. Server.Commands.Where(command =>
        verbs.Contains(command.Verb)).Select(command => command.Text)];
}
