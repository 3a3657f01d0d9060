using System.Net;
using System.Net.Sockets;

namespace Transfer.Cli.Tests.Hostile;

/// <summary>Accepts connections on loopback, and does the same to each.</summary>
internal abstract class HostilePeer : IAsyncDisposable
{
    protected const int Length = 1000;

    private static readonly TimeSpan BetweenDrops = TimeSpan.FromMilliseconds(100);

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly List<Task> _serving = [];
    private readonly Task _accepting;

    protected HostilePeer(HostileAttack attack)
    {
        Attack = attack;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    protected HostileAttack Attack { get; }

    protected CancellationToken Stop => _stop.Token;

    public virtual async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        await _accepting;
        await Task.WhenAll(_serving);
        _stop.Dispose();
    }

    protected abstract Task ServeAsync(Stream stream);

    /// <summary>Sends the same bytes until the other side has gone.</summary>
    protected async Task FloodAsync(Stream stream, byte[] block)
    {
        var many = new byte[Math.Max(1, 65536 / block.Length) * block.Length];
        for (var at = 0; at < many.Length; at += block.Length) block.CopyTo(many, at);
        while (true) await stream.WriteAsync(many, Stop);
    }

    /// <summary>Sends the same bytes now and then until the other side has gone.</summary>
    protected async Task DripAsync(Stream stream, byte[] drop)
    {
        while (true)
        {
            await Task.Delay(BetweenDrops, Stop);
            await stream.WriteAsync(drop, Stop);
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true) _serving.Add(ServeAsync(await _listener.AcceptSocketAsync(_stop.Token)));
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        await Task.Yield();
        socket.NoDelay = true;
        await using var stream = new NetworkStream(socket, ownsSocket: true);
        try
        {
            await ServeAsync(stream);
        }
        catch (Exception e)
            when (e is IOException or SocketException or OperationCanceledException or ObjectDisposedException or InvalidDataException
            or System.Security.Authentication.AuthenticationException or TransferException)
        {
            // The command has gone, which is what it should do.
        }
    }
}
