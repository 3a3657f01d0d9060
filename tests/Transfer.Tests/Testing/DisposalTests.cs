using Microsoft.Extensions.Logging;
using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Engine;
using MemoryStore = Transfer.Testing.MemoryStore;

namespace Transfer.Tests.Testing;

/// <summary>Clients that are disposed of while the server says nothing: what runs ends, and says why.</summary>
public sealed class DisposalTests
{
    private readonly LogLines _log = new(LogLevel.Warning);
    private readonly MemoryStore _store = new();
    private FtpTestServer _ftp = null!;
    private SftpTestServer _sftp = null!;

    [SetUp]
    public async Task Start()
    {
        _store.AddFile("/f", FtpTransferTests.Bytes(8 << 20));
        _ftp = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        _sftp = await SftpServerHarness.StartAsync(new SftpTestServerOptions { Store = _store });
    }

    [TearDown]
    public async Task Stop()
    {
        await _ftp.DisposeAsync();
        await _sftp.DisposeAsync();
        _log.Dispose();
    }

    [Test]
    public async Task A_single_operation_ends([Values] bool overSftp) => await EndsAsync(overSftp, client =>
    {
        _ftp.Faults.Stall(FtpFaults.AnyVerb, times: int.MaxValue);
        _sftp.Faults.Stall(SftpFaults.AnyVerb, times: int.MaxValue);
        return Task.FromResult<Task>(client.GetEntryAsync("/f").AsTask());
    });

    [Test]
    public async Task A_listing_ends([Values] bool overSftp) => await EndsAsync(overSftp, client =>
    {
        _ftp.Faults.Stall(FtpFaults.AnyVerb, times: int.MaxValue);
        _sftp.Faults.Stall(SftpFaults.AnyVerb, times: int.MaxValue);
        return Task.FromResult<Task>(client.ListAsync("/").ToListAsync().AsTask());
    });

    [Test]
    public async Task An_open_stream_ends([Values] bool overSftp, [Values] bool sequential) => await EndsAsync(overSftp, async client =>
    {
        _ftp.Faults.StallData(200_000);
        _sftp.Faults.Stall("READ", skip: 2, times: int.MaxValue);
        var stream = await client.OpenReadAsync("/f", new ReadOptions { Sequential = sequential });
        Assert.That(await stream.ReadAsync(new byte[1]).Soon(), Is.EqualTo(1));
        return stream.CopyToAsync(Stream.Null);
    });

    private async Task EndsAsync(bool overSftp, Func<TransferClient, Task<Task>> begin)
    {
        TransferClient client = overSftp
            ? _sftp.Client(options => options with { IdleTimeout = Timeout.InfiniteTimeSpan, LoggerFactory = _log })
            : new FtpTransferClient(_ftp.Uri, new FtpOptions
            {
                Credential = new TransferCredential("demo", "demo"),
                IdleTimeout = Timeout.InfiniteTimeSpan,
                LoggerFactory = _log,
            });
        await using var clientEnd = client;
        await client.ConnectAsync();
        var (before, beforeSftp) = (_ftp.Commands.Count, _sftp.Commands.Count);
        var operation = await begin(client);
        await Eventually.TrueAsync(() => _ftp.Commands.Count > before || _sftp.Commands.Count > beforeSftp);
        await client.DisposeAsync().Soon();
        Assert.Multiple(() =>
        {
            Assert.That(async () => await operation.Soon(), Throws.InstanceOf<ObjectDisposedException>());
            Assert.That(_log.All.Select(line => line.Event), Has.None.EqualTo("ClosedWhileRunning"));
        });
    }
}
