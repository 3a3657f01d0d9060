using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>SSH_MSG_KEXINIT (RFC 4253 section 7.1): the algorithms of one side, best first.</summary>
internal sealed record KexInit
{
    private const int CookieSize = 16;

    public required IReadOnlyList<string> Methods { get; init; }

    public required IReadOnlyList<string> HostKeys { get; init; }

    public required IReadOnlyList<string> CiphersToServer { get; init; }

    public required IReadOnlyList<string> CiphersToClient { get; init; }

    public required IReadOnlyList<string> MacsToServer { get; init; }

    public required IReadOnlyList<string> MacsToClient { get; init; }

    public IReadOnlyList<string> CompressionToServer { get; init; } = ["none"];

    public IReadOnlyList<string> CompressionToClient { get; init; } = ["none"];

    /// <summary>Whether a packet that guesses the method follows.</summary>
    public bool GuessFollows { get; init; }

    /// <summary>Reads the whole message with the number.</summary>
    public static KexInit Parse(ReadOnlySpan<byte> payload)
    {
        var reader = new SshReader(payload);
        reader.ReadByte();
        reader.Take(CookieSize);
        var methods = reader.ReadNameList();
        var hostKeys = reader.ReadNameList();
        var ciphersToServer = reader.ReadNameList();
        var ciphersToClient = reader.ReadNameList();
        var macsToServer = reader.ReadNameList();
        var macsToClient = reader.ReadNameList();
        var compressionToServer = reader.ReadNameList();
        var compressionToClient = reader.ReadNameList();
        reader.ReadNameList(); // languages
        reader.ReadNameList();
        var guessFollows = reader.ReadBoolean();
        reader.ReadUInt32(); // reserved
        return new KexInit
        {
            Methods = methods,
            HostKeys = hostKeys,
            CiphersToServer = ciphersToServer,
            CiphersToClient = ciphersToClient,
            MacsToServer = macsToServer,
            MacsToClient = macsToClient,
            CompressionToServer = compressionToServer,
            CompressionToClient = compressionToClient,
            GuessFollows = guessFollows,
        };
    }

    /// <summary>The message, with a fresh cookie.</summary>
    public byte[] ToPayload()
    {
        var writer = new ArrayBufferWriter<byte>(1024);
        writer.WriteByte(MessageNumber.KexInit);
        RandomNumberGenerator.Fill(writer.GetSpan(CookieSize)[..CookieSize]);
        writer.Advance(CookieSize);
        writer.WriteNameList(Methods);
        writer.WriteNameList(HostKeys);
        writer.WriteNameList(CiphersToServer);
        writer.WriteNameList(CiphersToClient);
        writer.WriteNameList(MacsToServer);
        writer.WriteNameList(MacsToClient);
        writer.WriteNameList(CompressionToServer);
        writer.WriteNameList(CompressionToClient);
        writer.WriteNameList([]);
        writer.WriteNameList([]);
        writer.WriteBoolean(GuessFollows);
        writer.WriteUInt32(0);
        return writer.WrittenSpan.ToArray();
    }
}
