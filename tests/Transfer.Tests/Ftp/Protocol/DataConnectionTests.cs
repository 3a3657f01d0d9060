using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

[CancelAfter(30_000)]
internal sealed class DataConnectionTests
{
    [Test]
    public async Task A_plain_download_ends_with_the_connection(CancellationToken ct)
    {
        await using var h = await DataHarness.OpenAsync();
        await h.Server.WriteAsync(Bytes(5000), ct);
        h.Socket.Shutdown(SocketShutdown.Send);
        Assert.That(await h.ReadAllAsync(), Is.EqualTo(Bytes(5000)));
        Assert.That(await h.Data.ReadAsync(new byte[10], ct), Is.Zero, "and stays at its end");
    }

    [Test]
    public async Task A_completed_upload_arrives_whole_with_its_end(CancellationToken ct)
    {
        await using var h = await DataHarness.OpenAsync(sends: true);
        await h.Data.WriteAsync(Bytes(300_000), ct);
        await h.Data.CompleteWritesAsync(ct);
        Assert.That((await ReceiveAllAsync(h.Server)).AsSpan().SequenceEqual(Bytes(300_000)), Is.True);
    }

    [Test]
    public async Task An_upload_that_is_dropped_is_reset_so_that_no_half_file_looks_whole(CancellationToken ct)
    {
        await using var h = await DataHarness.OpenAsync(sends: true);
        await h.Data.WriteAsync(Bytes(1000), ct);
        await h.Data.DisposeAsync();
        Assert.That(async () => await ReceiveAllAsync(h.Server), Throws.InstanceOf<IOException>());
    }

    [Test]
    public async Task Abort_resets_and_fails_whoever_waits(CancellationToken ct)
    {
        await using var h = await DataHarness.OpenAsync();
        var read = h.Data.ReadAsync(new byte[10], ct).AsTask();
        h.Data.Abort();
        var e = await Assert.ThrowsAsync<TransferException>(() => read);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(async () => await ReceiveAllAsync(h.Server), Throws.InstanceOf<IOException>());
    }

    [Test]
    public async Task A_reset_by_the_server_is_lost_but_not_the_session()
    {
        await using var h = await DataHarness.OpenAsync(sends: true);
        h.Socket.Close(0);
        var e = await Assert.ThrowsAsync<TransferException>(async () =>
        {
            for (var i = 0; i < 1000; i++)
                await h.Data.WriteAsync(Bytes(100_000), CancellationToken.None);
        });
        Assert.That(e, Is.TypeOf<TransferException>());
        Assert.That((e!.Error, h.ControlHarness.Control.Usable), Is.EqualTo((TransferError.Lost, true)));
    }

    [Test]
    public async Task A_refused_port_is_lost_but_not_the_session(CancellationToken ct)
    {
        await using var h = await ControlHarness.OpenAsync();
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)taken.LocalEndPoint!).Port;
        var e = await Assert.ThrowsAsync<TransferException>(
            async () => await DataConnection.ConnectAsync(h.Control, "127.0.0.1", port, default, null, ct));
        Assert.That(e, Is.TypeOf<TransferException>());
        Assert.That((e!.Error, h.Control.Usable), Is.EqualTo((TransferError.Lost, true)));
    }

    [Test]
    public async Task A_download_that_stalls_times_out(CancellationToken ct)
    {
        await using var h = await DataHarness.OpenAsync();
        await h.Server.WriteAsync(Bytes(10), ct);
        Assert.That(await h.Data.ReadAsync(new byte[10], ct), Is.EqualTo(10));
        h.ControlHarness.Clock.Advance(TimeSpan.FromHours(1));
        var read = h.Data.ReadAsync(new byte[10], ct).AsTask();
        h.ControlHarness.Clock.Advance(TimeSpan.FromSeconds(59));
        Assert.That(read.IsCompleted, Is.False);
        h.ControlHarness.Clock.Advance(TimeSpan.FromSeconds(2));
        var e = await Assert.ThrowsAsync<TransferException>(() => read);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task An_upload_that_nobody_takes_times_out(CancellationToken ct)
    {
        await using var h = await DataHarness.OpenAsync(sends: true);
        var write = WriteForEverAsync(h.Data, ct);
        while (!write.IsCompleted)
        {
            await Task.Delay(20, ct);
            h.ControlHarness.Clock.Advance(TimeSpan.FromSeconds(61));
        }

        var e = await Assert.ThrowsAsync<TransferException>(() => write);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Progress_keeps_the_control_connection_alive(CancellationToken ct)
    {
        await using var h = await DataHarness.OpenAsync();
        await h.ControlHarness.Control.SendAsync([new("RETR", "a")], ct);
        for (var i = 0; i < 5; i++)
        {
            h.ControlHarness.Clock.Advance(TimeSpan.FromSeconds(50));
            await h.Server.WriteAsync(Bytes(10), ct);
            await h.Data.ReadAsync(new byte[10], ct);
        }

        Assert.That(h.ControlHarness.Control.Usable, Is.True);
    }

    [Test]
    public async Task Cancellation_is_the_callers()
    {
        await using var h = await DataHarness.OpenAsync();
        using var cts = new CancellationTokenSource();
        var read = h.Data.ReadAsync(new byte[10], cts.Token).AsTask();
        await cts.CancelAsync();
        var e = await Assert.CatchAsync<OperationCanceledException>(() => read);
        Assert.That(e!.CancellationToken, Is.EqualTo(cts.Token));
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(1_000_000)]
    public async Task MODE_Z_inflates_downloads(int size)
    {
        await using var h = await DataHarness.OpenAsync(deflate: true);
        var sending = h.Server.WriteAsync(Zipped(Bytes(size))).AsTask().ContinueWith(_ => h.Socket.Shutdown(SocketShutdown.Send),
            TaskScheduler.Default);
        Assert.That((await h.ReadAllAsync()).AsSpan().SequenceEqual(Bytes(size)), Is.True);
        await sending;
    }

    [TestCase(1)]
    [TestCase(1_000_000)]
    public async Task MODE_Z_deflates_uploads(int size)
    {
        await using var h = await DataHarness.OpenAsync(sends: true, deflate: true);
        await h.Data.WriteAsync(Bytes(size), CancellationToken.None);
        await h.Data.CompleteWritesAsync(CancellationToken.None);
        var wire = await ReceiveAllAsync(h.Server);
        using var unzipped = new MemoryStream();
        using (var zip = new ZLibStream(new MemoryStream(wire), CompressionMode.Decompress))
            zip.CopyTo(unzipped);
        Assert.That(unzipped.ToArray().AsSpan().SequenceEqual(Bytes(size)), Is.True);
    }

    [Test]
    public async Task A_zlib_stream_cut_at_any_byte_is_no_whole_file()
    {
        var wire = Zipped(Bytes(300));
        for (var length = 1; length < wire.Length; length++)
        {
            await using var h = await DataHarness.OpenAsync(deflate: true);
            await h.Server.WriteAsync(wire.AsMemory(0, length));
            h.Socket.Shutdown(SocketShutdown.Send);
            var e = await Assert.ThrowsAsync<TransferException>(() => h.ReadAllAsync());
            Assert.That(e!.Error, Is.EqualTo(TransferError.Integrity), $"after {length} bytes");
        }
    }

    [Test]
    public async Task Damaged_or_trailing_compressed_data_is_found()
    {
        var wire = Zipped(Bytes(1000));
        var damaged = wire.ToArray();
        damaged[^2] ^= 1;
        foreach (var bytes in new[] { damaged, [.. wire, .. new byte[100_000]], [1, 2, 3, 4] })
        {
            await using var h = await DataHarness.OpenAsync(deflate: true);
            await h.Server.WriteAsync(bytes);
            h.Socket.Shutdown(SocketShutdown.Send);

            // Behind the end, more than the decompressor's own buffer holds: less than that it drops unseen.
            var e = await Assert.ThrowsAsync<TransferException>(() => h.ReadAllAsync());
            Assert.That(e!.Error, Is.EqualTo(TransferError.Integrity));
        }
    }

    private static async Task WriteForEverAsync(DataConnection data, CancellationToken ct)
    {
        while (true)
            await data.WriteAsync(new byte[1 << 20], ct);
    }

    private static byte[] Bytes(int count) => [.. Enumerable.Range(0, count).Select(i => (byte)((i * 31) ^ (i >> 7)))];

    private static byte[] Zipped(byte[] bytes)
    {
        using var wire = new MemoryStream();
        using (var zip = new ZLibStream(wire, CompressionLevel.Fastest, leaveOpen: true))
            zip.Write(bytes);
        return wire.ToArray();
    }

    private static async Task<byte[]> ReceiveAllAsync(Stream stream)
    {
        using var all = new MemoryStream();
        await stream.CopyToAsync(all);
        return all.ToArray();
    }
}
