using System.Net;
using System.Net.Sockets;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>A control connection that was really dialed, with the test as its server.</summary>
internal sealed class LoopbackControl : IAsyncDisposable
{
    private LoopbackControl(ControlConnection control, Socket server, ManualTime clock, LogRecorder log)
    {
        Control = control;
        Server = server;
        Clock = clock;
        Log = log;
    }

    public ControlConnection Control { get; }

    public Socket Server { get; }

    public ManualTime Clock { get; }

    public LogRecorder Log { get; }

    public static async Task<LoopbackControl> OpenAsync()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var clock = new ManualTime();
        var log = new LogRecorder();
        var settings = new ControlConnectionSettings
        {
            Host = "127.0.0.1",
            Port = ((IPEndPoint)listener.LocalEndpoint).Port,
            Logger = log,
            TimeProvider = clock,
        };
        var accepting = listener.AcceptSocketAsync();
        var control = await ControlConnection.OpenAsync(settings, CancellationToken.None);
        return new LoopbackControl(control, await accepting, clock, log);
    }

    public async ValueTask DisposeAsync()
    {
        await Control.DisposeAsync();
        Server.Dispose();
    }
}
