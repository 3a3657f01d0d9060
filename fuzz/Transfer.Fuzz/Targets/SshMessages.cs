using Transfer.Sftp.Crypto;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Fuzz.Targets;

/// <summary>What an SSH server says before it is known who it is, and while we log in.</summary>
internal static class SshMessages
{
    private static readonly string[] Methods = ["mlkem768x25519-sha256", "curve25519-sha256", "diffie-hellman-group14-sha256"];

    /// <summary>The greeting, and packets in the clear behind it.</summary>
    public static void ReadPackets(byte[] input)
    {
        var rest = input.AsSpan();
        while (VersionLine.TryTakeLine(rest, out _, out var consumed, out var isVersion))
        {
            rest = rest[consumed..];
            if (isVersion) break;
        }

        using var reader = new PacketReader(new MemoryStream(rest.ToArray()));
        do
        {
            while (reader.TryRead(out var payload))
            {
                if (payload.Length > input.Length) throw new FuzzException("A packet has more bytes than came.");
            }
        }
        while (reader.FillAsync(CancellationToken.None).AsTask().GetAwaiter().GetResult());
    }

    /// <summary>The messages of a key exchange: the first byte says which, as on the wire.</summary>
    public static void ReadKeyExchange(byte[] input)
    {
        if (input.Length == 0) return;
        switch (input[0])
        {
            case MessageNumber.KexInit:
                var init = KexInit.Parse(input);
                if (!KexInit.Parse(init.ToPayload()).Methods.SequenceEqual(init.Methods))
                    throw new FuzzException("KEXINIT is not read as it is written.");
                break;
            case MessageNumber.ExtensionInfo:
                ExtensionInfo.ReadSignatureAlgorithms(input);
                break;
            default:
                ReadAnswer(input);
                break;
        }
    }

    /// <summary>The messages of a log-in.</summary>
    public static void ReadUserAuth(byte[] input)
    {
        if (input.Length > 0) KeyboardMethod.Read(input);
    }

    // A server's key, its value and its signature. Which method it belongs to is part of the input: of the NIST curves only the points are
    // read by us.
    private static void ReadAnswer(byte[] input)
    {
        var method = input[0] % (Methods.Length + 1);
        using var agreement = method < Methods.Length ? KexAlgorithm.Get(Methods[method]).Create() : null;
        var reader = new SshReader(input.AsSpan(1));
        var key = SshPublicKeys.Parse(reader.ReadString().ToArray());
        var value = agreement is null ? reader.ReadString() : agreement.ReadValue(ref reader);
        var signature = reader.ReadString();
        if (agreement is null) NistCurve.P256.DecodePoint(value);
        else agreement.Agree(value);
        (key as SshCertificate)?.FindFlaw();
        foreach (var algorithm in key.SignatureAlgorithms) key.Verify(algorithm, input, signature);
    }
}
