using System.Buffers;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Sftp.Ssh.Wire;
using SshAlgorithms = Transfer.Sftp.SshAlgorithms;

namespace Transfer.Benchmarks.Responder;

/// <summary>
/// The server's side from the first byte to an open channel. It lets anybody in and never changes keys: a benchmark's client asks for
/// neither.
/// </summary>
internal static class SshHandshake
{
    private const string HostKeyType = "ssh-ed25519";
    private static readonly ReadOnlyMemory<byte> Version = "SSH-2.0-Responder"u8.ToArray();

    public static async ValueTask<ResponderChannel> RunAsync(SshWire wire)
    {
        await ExchangeKeysAsync(wire, await wire.ExchangeVersionsAsync(Version));
        await LogInAsync(wire);
        return await OpenAsync(wire);
    }

    private static async ValueTask ExchangeKeysAsync(SshWire wire, byte[] theirVersion)
    {
        var all = new SshAlgorithms();
        var ourInit = new KexInit
        {
            Methods = [.. all.KeyExchanges, KexNames.ServerStrict],
            HostKeys = [HostKeyType],
            CiphersToServer = all.Ciphers,
            CiphersToClient = all.Ciphers,
            MacsToServer = all.Macs,
            MacsToClient = all.Macs,
        }.ToPayload();
        wire.Add(ourInit);
        await wire.FlushAsync();
        var theirInit = await wire.ReceiveAsync(MessageNumber.KexInit);
        var algorithms = NegotiatedAlgorithms.Negotiate(KexInit.Parse(theirInit), KexInit.Parse(ourInit));

        using var agreement = KexAlgorithm.Get(algorithms.Method).Create();
        using var hostKey = new Ed25519PrivateKey(new byte[Ed25519.SeedSize]);
        var publicKey = Message(HostKeyType, hostKey.PublicKey);
        var theirValue = ReadValue(agreement, await wire.ReceiveAsync(MessageNumber.KexClientValue));
        var secret = agreement.Agree(theirValue);
        var transcript = new KexTranscript(theirVersion, Version, theirInit, ourInit);
        var hash = ExchangeHash.Compute(transcript, agreement, publicKey, theirValue, agreement.PublicValue.Span, secret);
        var derivation = new KeyDerivation(agreement.Hash, secret, hash, hash);

        var reply = new ArrayBufferWriter<byte>();
        reply.WriteByte(MessageNumber.KexServerValue);
        reply.WriteString(publicKey);
        agreement.WriteValue(reply, agreement.PublicValue.Span);
        reply.WriteString(SignatureBlob.Write(HostKeyType, hostKey.Sign(hash)));
        wire.Add(reply.WrittenSpan);
        wire.Add([MessageNumber.NewKeys]);
        wire.ChangeSendingKeys(derivation.CreateToClient(algorithms));
        await wire.FlushAsync();
        await wire.ReceiveAsync(MessageNumber.NewKeys);
        wire.ChangeReceivingKeys(derivation.CreateToServer(algorithms));
    }

    private static async ValueTask LogInAsync(SshWire wire)
    {
        await wire.ReceiveAsync(MessageNumber.ServiceRequest);
        await wire.ReceiveAsync(MessageNumber.AuthRequest);
        var accept = new ArrayBufferWriter<byte>();
        accept.WriteByte(MessageNumber.ServiceAccept);
        accept.WriteString("ssh-userauth");
        wire.Add(accept.WrittenSpan);
        wire.Add([MessageNumber.AuthSuccess]);
        await wire.FlushAsync();
    }

    private static async ValueTask<ResponderChannel> OpenAsync(SshWire wire)
    {
        var channel = ResponderChannel.Opened(wire, await wire.ReceiveAsync(MessageNumber.ChannelOpen));
        await wire.FlushAsync();
        await wire.ReceiveAsync(MessageNumber.ChannelRequest);
        channel.AcceptRequest();
        await wire.FlushAsync();
        return channel;
    }

    private static byte[] ReadValue(KeyAgreement agreement, byte[] message)
    {
        var reader = new SshReader(message.AsSpan(1));
        return agreement.ReadValue(ref reader).ToArray();
    }

    private static byte[] Message(string type, ReadOnlySpan<byte> key)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString(type);
        writer.WriteString(key);
        return writer.WrittenSpan.ToArray();
    }
}
