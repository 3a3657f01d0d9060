using Transfer.Ftp;
using Transfer.Tests.Engine;
using EngineStore = Transfer.Tests.Engine.MemoryStore;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// A stream of the caller that is cancelled by a token of its own, or loses a connection of its own, is a failure of the local end: the
/// error says so, and the session goes on.
/// </summary>
public sealed class CallerStreamTests
{
    private const int Length = 300_000;

    [Test]
    public async Task A_stream_that_is_cancelled_by_its_own_side_fails_the_file_alone_over_FTP(
        [Values] bool uploads, [Values] FtpTransferType type)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TransferType = type });
        ftp.Store.AddFile("/d/a", FtpHarness.Content(Length));
        using var stream = new ThrowingStream(Length, 100_000, () => new OperationCanceledException("a token of its own"));
        var error = await FtpHarness.FailsAsync(() => MoveAsync(ftp.Client, stream, uploads));
        Assert.That(error.IsTransient, Is.False);
        Assert.That(error.Message, Does.Contain("The local end of the transfer failed: a token of its own"));
        Assert.That(stream.Thrown, Is.EqualTo(1), "the file was not tried again");
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), "the session went on");
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
    }

    [Test]
    public async Task The_end_of_a_text_that_the_stream_does_not_take_fails_the_file_alone()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TransferType = FtpTransferType.Ascii });
        // The CR is held back: an LF might follow.
        ftp.Store.AddFile("/d/a", "x\r"u8);
        using var stream = new ThrowingStream(2, 1, () => new InvalidOperationException("closed"));
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DownloadAsync("/d/a", stream));
        Assert.That(error.Message, Does.Contain("The local end of the transfer failed: closed"));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), "the session went on");
    }

    [Test]
    public async Task A_lost_connection_of_the_stream_is_not_that_of_the_session([Values] bool uploads)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", FtpHarness.Content(Length));
        using var stream = new ThrowingStream(Length, 100_000, () => new TransferConnectionException("another server"));
        var error = await FtpHarness.FailsAsync(() => MoveAsync(ftp.Client, stream, uploads));
        Assert.That(error, Is.Not.InstanceOf<TransferConnectionException>());
        Assert.That(error.Message, Does.Contain("another server"));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), "the session went on");
    }

    [Test]
    public async Task A_stream_that_is_cancelled_by_its_own_side_fails_the_file_alone_over_other_providers([Values] bool uploads)
    {
        var store = new EngineStore();
        store.AddFile("/d/a", Samples.Bytes(Length));
        await using var client = new MemoryTransferClient(store);
        using var stream = new ThrowingStream(Length, 100_000, () => new OperationCanceledException("a token of its own"));
        var error = await MoveAsync(client, stream, uploads).Failure<TransferException>();
        Assert.That(error.IsTransient, Is.False);
        Assert.That(error.Message, Does.Contain("the local end of the transfer failed: a token of its own"));
        Assert.That((stream.Thrown, store.Opened), Is.EqualTo((1, 1)));
        Assert.That(store.Files, Is.EqualTo(new[] { "/d/a" }));
    }

    private static Task MoveAsync(TransferClient client, Stream stream, bool uploads) =>
        uploads ? client.UploadAsync(stream, "/d/b") : client.DownloadAsync("/d/a", stream);

    /// <summary>A stream that can seek, and fails at one position.</summary>
    private sealed class ThrowingStream(int length, int failAt, Func<Exception> failure) : MemoryStream(new byte[length])
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
            throw failure();
        }
    }
}
