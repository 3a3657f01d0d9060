using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Engine;
using Transfer.Tests.Testing;
using EngineStore = Transfer.Tests.Engine.MemoryStore;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// A stream of the caller that throws: the call throws the same, the file is not tried again, nothing of it stays, and the session goes on.
/// </summary>
public sealed class CallerStreamTests
{
    private const int Length = 300_000;

    private static readonly Exception[] Failures =
    [
        new OperationCanceledException("a token of its own"), new TransferConnectionException("another server"),
        new IOException("a device"), new UnauthorizedAccessException("expired"), new ObjectDisposedException(null, "disposed"),
        new InvalidOperationException("a mistake"),
    ];

    [Test]
    public async Task Over_FTP(
        [ValueSource(nameof(Failures))] Exception failure, [Values] bool uploads, [Values] FtpTransferType type)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TransferType = type });
        ftp.Store.AddFile("/d/a", FtpHarness.Content(Length));
        await FailsAsync(ftp.Client, failure, uploads);
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), "the session went on");
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
    }

    [Test]
    public async Task Over_SFTP([ValueSource(nameof(Failures))] Exception failure, [Values] bool uploads)
    {
        var store = new Transfer.Testing.MemoryStore();
        store.AddFile("/d/a", FtpHarness.Content(Length));
        await using var server = await SftpServerHarness.StartAsync(new SftpTestServerOptions { Store = store });
        await using var client = server.Client();
        await FailsAsync(client, failure, uploads);
        Assert.That(server.TotalConnections, Is.EqualTo(1), "the session went on");
        Assert.That(store.Files, Is.EqualTo(new[] { "/d/a" }));
    }

    [Test]
    public async Task Over_other_providers([ValueSource(nameof(Failures))] Exception failure, [Values] bool uploads)
    {
        var store = new EngineStore();
        store.AddFile("/d/a", Samples.Bytes(Length));
        await using var client = new MemoryTransferClient(store);
        await FailsAsync(client, failure, uploads);
        Assert.That(store.Opened, Is.EqualTo(1));
        Assert.That(store.Files, Is.EqualTo(new[] { "/d/a" }));
    }

    [Test]
    public async Task The_end_of_a_text_that_the_stream_does_not_take_fails_the_file_alone()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TransferType = FtpTransferType.Ascii });
        // The CR is held back: an LF might follow.
        ftp.Store.AddFile("/d/a", "x\r"u8);
        var failure = new InvalidOperationException("closed");
        using var stream = new ThrowingStream(2, 1, failure);
        Assert.That(await ftp.Client.DownloadAsync("/d/a", stream).Failure<InvalidOperationException>(), Is.SameAs(failure));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), "the session went on");
    }

    [Test]
    public async Task A_stream_that_cannot_do_it_is_refused_before_anything_is_sent()
    {
        var store = new EngineStore();
        store.AddFile("/d/a", [1]);
        await using var client = new MemoryTransferClient(store);
        using var closed = new MemoryStream();
        await closed.DisposeAsync();
        Assert.Multiple(() =>
        {
            Assert.That(() => client.UploadAsync(closed, "/d/b"), Throws.ArgumentException.With.Property("ParamName").EqualTo("source"));
            Assert.That(() => client.DownloadAsync("/d/a", closed),
                Throws.ArgumentException.With.Property("ParamName").EqualTo("destination"));
            Assert.That(store.Opened, Is.Zero);
        });
    }

    private static async Task FailsAsync(TransferClient client, Exception failure, bool uploads)
    {
        using var stream = new ThrowingStream(Length, 100_000, failure);
        Assert.That(await MoveAsync(client, stream, uploads).Failure<Exception>(), Is.SameAs(failure));
        Assert.That(stream.Thrown, Is.EqualTo(1), "the file was not tried again");
        Assert.That(await client.GetEntryAsync("/d/a").Soon(), Is.Not.Null);
    }

    private static Task MoveAsync(TransferClient client, Stream stream, bool uploads) =>
        uploads ? client.UploadAsync(stream, "/d/b") : client.DownloadAsync("/d/a", stream);

    /// <summary>A stream that can seek, and fails at one position.</summary>
    private sealed class ThrowingStream(int length, int failAt, Exception failure) : MemoryStream(new byte[length])
    {
        public int Thrown { get; private set; }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Check(buffer.Length);
            return base.ReadAsync(buffer, cancellationToken);
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Check(buffer.Length);
            return base.WriteAsync(buffer, cancellationToken);
        }

        private void Check(int count)
        {
            if (Position + count <= failAt) return;
            Thrown++;
            throw failure;
        }
    }
}
