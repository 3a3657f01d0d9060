using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Transfer.Ftp;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Ftp.Session;

/// <summary>A server whose data connections show another certificate than its control connection.</summary>
public sealed class ForeignCertificateTests
{
    [TestCase("STOR", SslProtocols.Tls12, "426 TLS failed")]
    [TestCase("STOR", SslProtocols.Tls13, "425 TLS failed")]
    [TestCase("RETR", SslProtocols.Tls13, "426 TLS failed")]
    [TestCase("RETR", SslProtocols.Tls12, null)]
    public async Task A_certificate_that_is_not_the_control_connections_is_a_matter_of_trust_and_tried_once(
        string verb, SslProtocols version, string? end)
    {
        using var certificate = TestCertificate.Create();
        using var another = TestCertificate.Create();
        var transfers = 0;
        await using var server = new LoopbackServer(ServeAsync);
        await using var client = new FtpTransferClient(new Uri($"ftpes://127.0.0.1:{server.Port}/"), FtpHarness.Options with
        {
            Tls = new FtpTlsOptions { AcceptAnyCertificate = true, Protocols = version },
            Retry = Samples.SoonAgain,
        });
        var error = await FtpHarness.FailsAsync(() => verb == "STOR"
            ? client.UploadAsync(new MemoryStream([1, 2]), "/a", new UploadOptions { Overwrite = OverwriteMode.Always })
            : client.DownloadAsync("/a", new MemoryStream()));
        Assert.That((error.Error, error.IsTransient), Is.EqualTo((TransferError.Tls, false)), error.ToString());
        Assert.That(error.Message, Does.Contain("not the certificate of the control connection"));
        Assert.That(Volatile.Read(ref transfers), Is.EqualTo(1));

        async Task ServeAsync(NetworkStream stream, CancellationToken ct)
        {
            await stream.WriteAsync("220 ready\r\n"u8.ToArray(), ct);
            await new StreamReader(stream).ReadLineAsync(ct);
            await stream.WriteAsync("234 go\r\n"u8.ToArray(), ct);
            await using var tls = new SslStream(stream, leaveInnerStreamOpen: true);
            await tls.AuthenticateAsServerAsync(TestCertificate.ServerOptions(certificate, version: version), ct);
            using var commands = new StreamReader(tls);
            await using var replies = new StreamWriter(tls) { AutoFlush = true, NewLine = "\r\n" };
            TcpListener? listener = null;
            while (await commands.ReadLineAsync(ct) is { } line)
            {
                switch (line.Split(' ')[0])
                {
                    case "EPSV":
                        listener?.Stop();
                        listener = new TcpListener(IPAddress.Loopback, 0);
                        listener.Start();
                        await replies.WriteLineAsync($"229 ok (|||{((IPEndPoint)listener.LocalEndpoint).Port}|)");
                        break;
                    case var transfer when transfer == verb:
                        Interlocked.Increment(ref transfers);
                        await replies.WriteLineAsync("150 go");
                        using (var data = await listener!.AcceptTcpClientAsync(ct))
                            await RefusedAsync(data.GetStream());
                        if (end is null) return;
                        await replies.WriteLineAsync(end);
                        break;
                    default:
                        await replies.WriteLineAsync(ReplyTo(line, hasFile: verb == "RETR"));
                        break;
                }
            }
            listener?.Stop();
        }

        async Task RefusedAsync(NetworkStream stream)
        {
            await using var tls = new SslStream(stream);
            await Assert.CatchAsync<Exception>(async () =>
            {
                await tls.AuthenticateAsServerAsync(TestCertificate.ServerOptions(another, version: version));
                await tls.ReadExactlyAsync(new byte[1]);
            });
        }
    }

    private static string ReplyTo(string command, bool hasFile) => command.Split(' ')[0] switch
    {
        "USER" => "331 password",
        "PASS" => "230 in",
        "PWD" => "257 \"/\"",
        "SIZE" when hasFile => "213 2",
        "TYPE" or "PBSZ" or "PROT" or "OPTS" or "CLNT" => "200 ok",
        "SYST" => "215 UNIX Type: L8",
        "FEAT" => "211-Features:\r\n EPSV\r\n SIZE\r\n211 End",
        _ => "550 no",
    };
}
