using System.Net;
using System.Net.Sockets;

namespace Transfer.TestSupport.Network;

/// <summary>Accepts connections on loopback and hands each to a script.</summary>
internal sealed class LoopbackServer : IAsyncDisposable
{
    private readonly TcpListener _listener;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _accepting;
    private readonly List<Task> _scripts = [];

    public LoopbackServer(Func<NetworkStream, CancellationToken, Task> script, IPAddress? address = null)
    {
        _listener = new TcpListener(address ?? IPAddress.Loopback, 0);
        _listener.Start();
        _accepting = AcceptAsync(script);
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public static LoopbackServer Silent(IPAddress? address = null) => new((_, ct) => Task.Delay(Timeout.Infinite, ct), address);

    /// <summary>The scripts' own errors come out here.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _accepting;
        _listener.Stop();
        try
        {
            await Task.WhenAll(_scripts).WaitAsync(Eventually.Hang);
        }
        finally
        {
            _stop.Dispose();
        }
    }

    private async Task AcceptAsync(Func<NetworkStream, CancellationToken, Task> script)
    {
        try
        {
            while (true)
            {
                var socket = await _listener.AcceptSocketAsync(_stop.Token);
                socket.NoDelay = true;
                _scripts.Add(RunAsync(script, socket));
            }
        }
        catch (OperationCanceledException)
        {
            // The test is over.
        }
    }

    private async Task RunAsync(Func<NetworkStream, CancellationToken, Task> script, Socket socket)
    {
        await using var stream = new NetworkStream(socket, ownsSocket: true);
        try
        {
            await script(stream, _stop.Token);
        }
        catch (Exception) when (_stop.IsCancellationRequested)
        {
            // The test is over, and whatever was waited for will not come.
        }
    }
}
