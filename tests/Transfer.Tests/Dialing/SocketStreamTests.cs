using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

/// <summary>Writes through a send buffer that is kept full, whoever says when there is room.</summary>
public sealed class SocketStreamTests
{
    private const int Buffer = 32 * 1024;

    private Socket _near = null!;
    private Socket _far = null!;

    [SetUp]
    public async Task Connect()
    {
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        _near = new Socket(SocketType.Stream, ProtocolType.Tcp) { SendBufferSize = Buffer, NoDelay = true };
        var accepted = listener.AcceptAsync();
        await _near.ConnectAsync(listener.LocalEndPoint!);
        _far = await accepted;
        _far.ReceiveBufferSize = Buffer;
    }

    [TearDown]
    public void Close()
    {
        _near.Dispose();
        _far.Dispose();
    }

    [TestCase(true, 1)]
    [TestCase(true, 70_000)]
    [TestCase(true, 4 << 20)]
    [TestCase(false, 70_000)]
    [TestCase(false, 4 << 20)]
    public async Task What_is_written_arrives_whole_and_in_order(bool isBound, int length)
    {
        await using var stream = new SocketStream(_near, () => isBound);
        var sent = RandomNumberGenerator.GetBytes(length);
        var received = ReadAllAsync(pause: TimeSpan.FromMilliseconds(length > 1 << 20 ? 1 : 0));
        // In pieces of all sizes.
        for (int at = 0, size = 1; at < length; at += size, size = size * 3 % 100_003)
        {
            size = Math.Min(size, length - at);
            await stream.WriteAsync(sent.AsMemory(at, size));
        }
        _near.Shutdown(SocketShutdown.Send);
        Assert.That((await received).AsSpan().SequenceEqual(sent), Is.True);
    }

    [Test]
    [Platform("Linux")]
    public async Task Where_the_buffer_bounds_the_rate_it_is_looked_at_again_soon()
    {
        var looks = 0;
        await using var stream = new SocketStream(_near, () => ++looks > 0);
        var write = stream.WriteAsync(new byte[4 << 20]).AsTask();
        await ReadAsync(2 << 20);
        Assert.That(looks, Is.GreaterThan(1));
        Assert.That(write.IsCompleted, Is.False);
        await ReadAsync(2 << 20);
        await write;
    }

    [Test]
    [Platform("Linux")]
    public async Task A_short_path_is_left_to_the_system()
    {
        await using var stream = new SocketStream(_near);
        var write = stream.WriteAsync(new byte[1 << 20]).AsTask();
        await ReadAsync(1 << 20);
        await write;
    }

    // By then the kernel is waited for: nothing is taken for longer than all pauses.
    [TestCase(0)]
    [TestCase(400)]
    public async Task It_can_be_cancelled(int milliseconds)
    {
        await using var stream = new SocketStream(_near, () => true);
        using var cancel = new CancellationTokenSource();
        var write = stream.WriteAsync(new byte[4 << 20], cancel.Token).AsTask();
        await Task.Delay(milliseconds);
        await cancel.CancelAsync();
        Assert.That(async () => await write, Throws.InstanceOf<OperationCanceledException>());
    }

    [TestCase(0)]
    [TestCase(400)]
    public async Task A_connection_that_is_reset_is_an_IOException(int milliseconds)
    {
        await using var stream = new SocketStream(_near, () => true);
        var write = stream.WriteAsync(new byte[4 << 20]).AsTask();
        await Task.Delay(milliseconds);
        _far.LingerState = new LingerOption(true, 0);
        _far.Dispose();
        Assert.That(async () => await write, Throws.InstanceOf<IOException>().With.InnerException.InstanceOf<SocketException>());
        Assert.That(async () => await stream.WriteAsync(new byte[1]), Throws.InstanceOf<IOException>());
    }

    [TestCase(0)]
    [TestCase(400)]
    public async Task Whoever_closes_it_ends_a_write(int milliseconds)
    {
        var stream = new SocketStream(_near, () => true);
        var write = stream.WriteAsync(new byte[4 << 20]).AsTask();
        await Task.Delay(milliseconds);
        await stream.DisposeAsync();
        Assert.That(async () => await write.WaitAsync(TimeSpan.FromMinutes(1)),
            Throws.InstanceOf<ObjectDisposedException>().Or.InstanceOf<IOException>());
    }

    private async Task<byte[]> ReadAllAsync(TimeSpan pause)
    {
        using var all = new MemoryStream();
        var buffer = new byte[64 * 1024];
        while (await _far.ReceiveAsync(buffer) is > 0 and var read)
        {
            all.Write(buffer, 0, read);
            if (pause > TimeSpan.Zero) await Task.Delay(pause);
        }
        return all.ToArray();
    }

    private async Task ReadAsync(int count)
    {
        var buffer = new byte[64 * 1024];
        while (count > 0)
        {
            var read = await _far.ReceiveAsync(buffer.AsMemory(0, Math.Min(count, buffer.Length)));
            if (read == 0) throw new EndOfStreamException();
            count -= read;
        }
    }
}
