using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Transfer.Ftp.Protocol;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>A control connection over memory, with the test as its server.</summary>
internal sealed class ControlHarness : IAsyncDisposable
{
    private ControlHarness(ControlConnection control, MemoryLink client, MemoryLink server, ManualTime clock, LogRecorder log)
    {
        Control = control;
        Client = client;
        Server = server;
        Clock = clock;
        Log = log;
    }

    public ControlConnection Control { get; }

    public MemoryLink Client { get; }

    public MemoryLink Server { get; }

    public ManualTime Clock { get; }

    public LogRecorder Log { get; }

    public static async Task<ControlHarness> OpenAsync(bool greeted = true,
        Func<ControlConnectionSettings, ControlConnectionSettings>? with = null)
    {
        var (client, server) = MemoryLink.Create();
        var clock = new ManualTime();
        var log = new LogRecorder();
        var settings = new ControlConnectionSettings { Host = "ftp.example", Logger = log, TimeProvider = clock, Encoding = Encoding.UTF8 };
        var control = await ControlConnection.AttachAsync(client, with?.Invoke(settings) ?? settings, CancellationToken.None);
        var harness = new ControlHarness(control, client, server, clock, log);
        if (greeted)
        {
            await harness.ReplyAsync("220 ready");
            await control.GreetingAsync(CancellationToken.None);
        }

        return harness;
    }

    /// <summary>Sends reply lines, each with CRLF, in one write.</summary>
    public ValueTask ReplyAsync(params string[] lines) =>
        Server.WriteAsync(Encoding.UTF8.GetBytes(string.Concat(lines.Select(l => l + "\r\n"))));

    /// <summary>AUTH TLS and both sides of the handshake; gives the server's side.</summary>
    public async Task<SslStream> StartTlsAsync(
        X509Certificate2 certificate, bool askForCertificate = false, bool leaveOpen = false, SslProtocols version = SslProtocols.None,
        X509Certificate2Collection? chain = null)
    {
        var auth = Control.ExecuteAsync(new("AUTH", "TLS"), CancellationToken.None);
        Assert.That(await ReceivedAsync(), Is.EqualTo("AUTH TLS\r\n"));
        await ReplyAsync("234 go");
        await auth;
        var server = new SslStream(Server, leaveOpen);
        var serverSide = server.AuthenticateAsServerAsync(TestCertificate.ServerOptions(certificate, askForCertificate, version, chain));
        _ = serverSide.ContinueWith(t => t.Exception, TaskScheduler.Default);
        await Control.StartTlsAsync(CancellationToken.None);
        await serverSide;
        return server;
    }

    /// <summary>What the client's next write held.</summary>
    public async Task<string?> ReceivedAsync() => await Server.ReadChunkAsync() is { } bytes ? Encoding.UTF8.GetString(bytes) : null;

    public ValueTask DisposeAsync() => Control.DisposeAsync();
}
