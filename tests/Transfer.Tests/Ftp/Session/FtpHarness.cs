using System.Net;
using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>A server in process and a client of it.</summary>
internal sealed class FtpHarness : IAsyncDisposable
{
    private static int _addresses;

    private FtpHarness(FtpTestServer server, MemoryStore store, FtpTransferClient client)
    {
        Server = server;
        Store = store;
        Client = client;
    }

    public static FtpOptions Options { get; } = new()
    {
        Credential = new TransferCredential("demo", "demo"),
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(20),
    };

    /// <summary>A link on which a round trip counts.</summary>
    public static LinkOptions Far { get; } = new() { RoundTrip = TimeSpan.FromMilliseconds(40), BytesPerSecond = 40_000_000 };

    /// <summary>Options for a server's kind of TLS.</summary>
    public static FtpOptions OptionsFor(FtpTestTls tls) =>
        tls == FtpTestTls.None ? Options : Options with { Tls = new FtpTlsOptions { AcceptAnyCertificate = true } };

    /// <summary>For faults that only a time-out ends.</summary>
    public static FtpOptions Impatient { get; } = Options with { IdleTimeout = TimeSpan.FromMilliseconds(400) };

    public FtpTestServer Server { get; }

    public MemoryStore Store { get; }

    public FtpTransferClient Client { get; }

    /// <summary>What the clients sent, without the log-in.</summary>
    public IReadOnlyList<TestCommand> Work =>
        [.. Server.Commands.Where(
            c => c.Verb is not ("AUTH" or "USER" or "PASS" or "PBSZ" or "PROT" or "SYST" or "FEAT" or "OPTS" or "TYPE" or "PWD"
                or "QUIT"))];

    public static async Task<FtpHarness> StartAsync(FtpTestServerOptions? server = null, FtpOptions? options = null,
        Func<MemoryStore, ITestStore>? front = null)
    {
        var started = server ?? new FtpTestServerOptions();
        var store = started.Store as MemoryStore ?? new MemoryStore();
        // What is learned of a host is kept for the process, so that no two tests may have the same, by chance, one after the other.
        // In active mode the server connects from the loopback address, so it has to be there.
        if (started.Tls == FtpTestTls.None && options?.DataMode != FtpDataMode.Active && !OperatingSystem.IsMacOS())
        {
            var number = Interlocked.Increment(ref _addresses);
            started =
                started with { Address = new IPAddress(new byte[] { 127, 77, (byte)(1 + (number / 250)), (byte)(1 + (number % 250)) }) };
        }
        var running = await FtpTestServer.StartAsync(started with { Store = front?.Invoke(store) ?? store });
        return new FtpHarness(running, store,
            new FtpTransferClient(running.Uri, (options ?? Options) with { Retry = Samples.SoonAgain }));
    }

    public async Task<TransferResult> PutAsync(string path, byte[] content, UploadOptions? options = null, CancellationToken ct = default)
    {
        using var stream = new MemoryStream(content);
        return await Client.UploadAsync(stream, path, options ?? new UploadOptions { Overwrite = OverwriteMode.Always },
            cancellationToken: ct);
    }

    public async Task<byte[]> GetAsync(string path, CancellationToken ct = default)
    {
        using var stream = new MemoryStream();
        await Client.DownloadAsync(path, stream, cancellationToken: ct);
        return stream.ToArray();
    }

    /// <summary>The transfer fails with an exception of the library's own.</summary>
    public static async Task<TransferException> FailsAsync(Func<Task> action) =>
        (await Assert.CatchAsync<TransferException>(() => action().WaitAsync(TimeSpan.FromSeconds(50))))!;

    public static byte[] Content(int length, int seed = 1)
    {
        var bytes = new byte[length];
        SyntheticContent.Fill(bytes, 0, seed);
        return bytes;
    }

    public async ValueTask DisposeAsync()
    {
        Server.Faults.Clear();
        await Client.DisposeAsync();
        await Server.DisposeAsync();
    }
}
