using System.Net.Security;
using System.Security.Cryptography;
using Transfer.Batch;
using Transfer.Batch.Carriers;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Cli.Tests.Hostile;

/// <summary>A receiver of direct connections whose token is known, and who attacks whoever sends.</summary>
internal sealed class HostileReceiver(HostileAttack attack) : HostilePeer(attack)
{
    private readonly DirectIdentity _identity = DirectIdentity.Create();

    public BatchAddress Address => new("127.0.0.1", Port, _identity.Token);

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _identity.Dispose();
    }

    protected override async Task ServeAsync(Stream stream)
    {
        // a record that TLS 1.3 passes over (RFC 8446 section 5)
        if (Attack == HostileAttack.FloodBeforeKeys) await FloodAsync(stream, [0x14, 3, 3, 0, 1, 1]);
        if (Attack == HostileAttack.Drip)
        {
            await stream.WriteAsync(new byte[] { 0x16, 3, 3, 0x40, 0 }, Stop);
            await DripAsync(stream, [0]);
        }
        using var certificate = _identity.CreateCertificate(DateTimeOffset.UtcNow, hasFiles: false);
        await using var tls = new SslStream(stream);
        await tls.AuthenticateAsServerAsync(DirectTls.ForReceiver(certificate), Stop);
        if (Attack == HostileAttack.FloodAfterKeys)
        {
            var ping = new byte[LinkFrame.HeaderLength];
            LinkFrame.WriteHeader(ping, LinkMessageType.Ping, 0);
            await FloodAsync(tls, ping);
        }
        await using var link = new LinkConnection(tls, TimeSpan.FromSeconds(20), TimeProvider.System);
        var hello = (await link.Reader.NextAsync(Stop)).As<HelloMessage>();
        link.Reader.MaxPayload = LinkFrame.MaxPayload;
        var nonce = RandomNumberGenerator.GetBytes(HelloMessage.NonceLength);
        await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, 20_000, nonce,
            DirectProof.OfReceiver(_identity.Token, hello.Nonce, nonce, certificate.RawData)), Stop);
        await link.Writer.WriteAsync(new JobAcceptedMessage(1, 8, false), Stop);
        while (true)
        {
            var message = await link.Reader.NextAsync(Stop);
            if (message.Type != LinkMessageType.ArchiveBegin) continue;
            // Files of the archive that could not be written, without end.
            var failure = new FileFailureMessage(message.As<ArchiveBeginMessage>().Index,
                new ArchiveFailure(new string('x', 30_000), TransferError.Denied, "no"));
            while (true) await link.Writer.WriteAsync(failure, Stop);
        }
    }
}
