using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Transfer.Ftp.Protocol;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Ftp.Protocol;

[CancelAfter(30_000)]
internal sealed class DataTlsTests
{
    private static readonly SslProtocols[] Versions = [SslProtocols.Tls12, SslProtocols.Tls13];

    [TestCaseSource(nameof(Versions))]
    public async Task A_download_with_close_notify_is_whole(SslProtocols version)
    {
        using var certificate = TestCertificate.Create();
        await using var h = await DataHarness.OpenAsync(certificate: certificate, version: version);
        await using var server = await h.StartTlsAsync(certificate);
        await server.WriteAsync(new byte[50_000]);
        await server.ShutdownAsync();
        h.Socket.Shutdown(SocketShutdown.Send);
        Assert.That(await h.ReadAllAsync(), Has.Length.EqualTo(50_000));
        Assert.That(await server.ReadAsync(new byte[1]), Is.Zero, "ours came back: some servers wait for it");
        Assert.That(await h.Data.ReadAsync(new byte[10], CancellationToken.None), Is.Zero);
    }

    [TestCaseSource(nameof(Versions))]
    public async Task A_download_that_ends_without_close_notify_was_cut(SslProtocols version)
    {
        using var certificate = TestCertificate.Create();
        await using var h = await DataHarness.OpenAsync(certificate: certificate, version: version);
        await using var server = await h.StartTlsAsync(certificate);
        await server.WriteAsync(new byte[50_000]);
        h.Socket.Shutdown(SocketShutdown.Send);
        var e = await Assert.ThrowsAsync<TransferException>(() => h.ReadAllAsync());
        Assert.That((e!.Error, e.IsTransient), Is.EqualTo((TransferError.Integrity, true)));
    }

    [TestCaseSource(nameof(Versions))]
    public async Task A_download_that_ends_inside_a_record_was_cut(SslProtocols version)
    {
        using var certificate = TestCertificate.Create();
        await using var h = await DataHarness.OpenAsync(certificate: certificate, version: version);
        await using var server = await h.StartTlsAsync(certificate);
        await server.WriteAsync(new byte[100]);
        await h.Server.WriteAsync(new byte[] { 23, 3, 3, 1, 0, 9, 9 });
        h.Socket.Shutdown(SocketShutdown.Send);
        var e = await Assert.ThrowsAsync<TransferException>(() => h.ReadAllAsync());
        Assert.That(e!.Error, Is.EqualTo(TransferError.Integrity));
    }

    [TestCaseSource(nameof(Versions))]
    public async Task An_upload_ends_with_close_notify_and_FIN_without_waiting_for_the_servers(SslProtocols version)
    {
        using var certificate = TestCertificate.Create();
        await using var h = await DataHarness.OpenAsync(sends: true, certificate: certificate, version: version);
        await using var server = await h.StartTlsAsync(certificate);
        var receiving = ReceiveAsync(server);
        await h.Data.WriteAsync(new byte[200_000], CancellationToken.None);
        await h.Data.CompleteWritesAsync(CancellationToken.None);
        Assert.That(await receiving, Is.EqualTo(200_000));
        Assert.That(await h.Server.ReadAsync(new byte[1]), Is.Zero, "FIN");
    }

    [TestCaseSource(nameof(Versions))]
    public async Task Another_certificate_than_the_control_connections_is_refused(SslProtocols version)
    {
        using var certificate = TestCertificate.Create();
        using var another = TestCertificate.Create();
        await using var h = await DataHarness.OpenAsync(certificate: certificate, version: version);
        var e = await Assert.ThrowsAsync<TransferException>(() => h.StartTlsAsync(another));
        Assert.That((e!.Error, h.ControlHarness.Control.Usable), Is.EqualTo((TransferError.Tls, true)));
        Assert.That(e.Message, Does.Contain("not the certificate of the control connection"));
    }

    [Test]
    public async Task A_data_connection_closed_instead_of_secured_is_lost()
    {
        using var certificate = TestCertificate.Create();
        await using var h = await DataHarness.OpenAsync(sends: true, certificate: certificate);
        h.Socket.Shutdown(SocketShutdown.Send);
        var e = await Assert.ThrowsAsync<TransferException>(async () => await h.Data.StartTlsAsync(CancellationToken.None));
        Assert.That(e, Is.TypeOf<TransferException>());
        Assert.That(e!.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_handshake_nobody_answers_times_out()
    {
        using var certificate = TestCertificate.Create();
        await using var h = await DataHarness.OpenAsync(certificate: certificate);
        var start = h.Data.StartTlsAsync(CancellationToken.None).AsTask();
        await h.Server.ReadExactlyAsync(new byte[5]);
        while (!start.IsCompleted)
        {
            h.ControlHarness.Clock.Advance(TimeSpan.FromSeconds(61));
            await Task.Delay(10);
        }

        var e = await Assert.ThrowsAsync<TransferException>(() => start);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Without_TLS_on_the_control_connection_there_is_none_here()
    {
        await using var h = await DataHarness.OpenAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await h.Data.StartTlsAsync(CancellationToken.None));
    }

    [TestCase("localhost", false)]
    [TestCase("127.0.0.1", false)]
    [TestCase("localhost", true)]
    [Platform(Include = "Linux", Reason = "Whether a session was resumed shows on the wire only, and not every system's TLS resumes.")]
    public async Task Data_connections_of_parallel_control_connections_each_resume_their_own_session(string host, bool clientCertificate)
    {
        using var certificate = TestCertificate.Create();
        using var mine = TestCertificate.Create("me.example");
        var settings = new TlsSettings
        {
            ServerName = host,
            AcceptAnyCertificate = true,
            Enabled = SslProtocols.Tls12,
            ClientCertificate = clientCertificate ? TlsSettings.CreateClientCertificate([mine]) : null,
        };
        List<(ControlHarness Control, SslStream Tls)> controls = [];
        for (var i = 0; i < 4; i++)
        {
            var control = await ControlHarness.OpenAsync(with: s => s with { Tls = settings });
            controls.Add((control, await control.StartTlsAsync(certificate, askForCertificate: clientCertificate)));
        }

        for (var round = 0; round < 2; round++)
        {
            foreach (var (control, _) in controls)
            {
                Assert.That(await HandshakeShowsCertificateAsync(control.Control, certificate, clientCertificate), Is.False,
                    "resumed: no certificate travels");
            }
        }

        await using (var fresh = await ControlHarness.OpenAsync(with: s => s with { Tls = settings with { ReuseSessions = false } }))
        await using (await fresh.StartTlsAsync(certificate, askForCertificate: clientCertificate))
        {
            Assert.That(await HandshakeShowsCertificateAsync(fresh.Control, certificate, clientCertificate), Is.True,
                "the other way round it does");
        }

        foreach (var (control, tls) in controls)
        {
            await control.DisposeAsync();
            await tls.DisposeAsync();
        }
    }

    private static async Task<bool> HandshakeShowsCertificateAsync(ControlConnection control, X509Certificate2 certificate,
        bool askForCertificate)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        await using var data = await DataConnection.ConnectAsync(control, "127.0.0.1", port, default, null, CancellationToken.None);
        using var socket = await listener.AcceptSocketAsync();
        var wire = new RecordingStream(new NetworkStream(socket));
        await using var server = new SslStream(wire);
        var serverSide = server.AuthenticateAsServerAsync(TestCertificate.ServerOptions(certificate, askForCertificate));
        await data.StartTlsAsync(CancellationToken.None);
        await serverSide;
        return wire.Written.AsSpan().IndexOf(certificate.RawData) >= 0;
    }

    private static async Task<int> ReceiveAsync(Stream stream)
    {
        var total = 0;
        var buffer = new byte[10_000];
        int read;
        while ((read = await stream.ReadAsync(buffer)) > 0)
            total += read;
        return total;
    }
}
