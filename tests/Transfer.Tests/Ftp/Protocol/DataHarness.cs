using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Transfer.Ftp.Protocol;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>A data connection over loopback, with the test as its server, beside a control connection over memory.</summary>
internal sealed class DataHarness : IAsyncDisposable
{
    private readonly SslStream? _controlTls;

    private DataHarness(ControlHarness control, SslStream? controlTls, DataConnection data, Socket server)
    {
        ControlHarness = control;
        _controlTls = controlTls;
        Data = data;
        Socket = server;
        Server = new NetworkStream(server, ownsSocket: true);
    }

    public ControlHarness ControlHarness { get; }

    public DataConnection Data { get; }

    public Socket Socket { get; }

    /// <summary>The server's raw side.</summary>
    public NetworkStream Server { get; }

    public static async Task<DataHarness> OpenAsync(
        bool sends = false, bool deflate = false, X509Certificate2? certificate = null, SslProtocols version = SslProtocols.Tls12)
    {
        SslStream? controlTls = null;
        var control = await ControlHarness.OpenAsync(with: s => s with
        {
            Tls = new TlsSettings { ServerName = "localhost", AcceptAnyCertificate = true, Enabled = version },
        });
        if (certificate is not null)
            controlTls = await control.StartTlsAsync(certificate);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var accepting = listener.AcceptSocketAsync();
        var data = await DataConnection.ConnectAsync(
            control.Control, "127.0.0.1", port, new DataSettings { Sends = sends, Deflate = deflate }, null, CancellationToken.None);
        return new DataHarness(control, controlTls, data, await accepting);
    }

    /// <summary>Both sides of the data connection's handshake; gives the server's side.</summary>
    public async Task<SslStream> StartTlsAsync(X509Certificate2 certificate)
    {
        var server = new SslStream(Server, leaveInnerStreamOpen: true);
        var serverSide = server.AuthenticateAsServerAsync(TestCertificate.ServerOptions(certificate));
        _ = serverSide.ContinueWith(t => t.Exception, TaskScheduler.Default);
        await Data.StartTlsAsync(CancellationToken.None);
        await serverSide;
        return server;
    }

    /// <summary>Everything until the end, as the engine would read it.</summary>
    public async Task<byte[]> ReadAllAsync()
    {
        var all = new MemoryStream();
        var buffer = new byte[1000];
        int read;
        while ((read = await Data.ReadAsync(buffer, CancellationToken.None)) > 0)
            all.Write(buffer, 0, read);
        return all.ToArray();
    }

    public async ValueTask DisposeAsync()
    {
        await Data.DisposeAsync();
        await ControlHarness.DisposeAsync();
        if (_controlTls is not null)
            await _controlTls.DisposeAsync();
        await Server.DisposeAsync();
    }
}
