using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Keys;

/// <summary>
/// Certificates of the test key that ssh-keygen cannot make here: of security tokens, and of authorities that are not accepted.
/// </summary>
internal static class MadeCertificate
{
    private const string Token = "sk-ssh-ed25519@openssh.com";
    private const string CurveToken = "sk-ecdsa-sha2-nistp256@openssh.com";

    /// <summary>
    /// The authorities that cannot be judged: another kind, a weak key, a weak signature, another certificate, a wrong signature.
    /// </summary>
    public static readonly string[] Unjudged = ["ssh-dss", "rsa-1024", "rsa-sha1", "certificate", "forged"];

    public static SshCertificate Of(string authority, SshCertificateKind kind, byte flags = 1) => authority switch
    {
        Token => OfToken(kind, flags),
        CurveToken => OfCurveToken(kind),
        "ssh-dss" => Make(kind, Bytes(w => { w.WriteString("ssh-dss"); w.WriteString("p"); }), _ => Signature("ssh-dss", new byte[40])),
        "rsa-1024" => OfRsa(kind, 1024, "rsa-sha2-512", HashAlgorithmName.SHA512),
        "rsa-sha1" => OfRsa(kind, 2048, "ssh-rsa", HashAlgorithmName.SHA1),
        "certificate" => Make(kind, Read.Blob(TestCertificates.Host), _ => Signature("ssh-ed25519", new byte[64])),
        _ => Make(kind, Read.Blob(TestCertificates.Authority), _ => Signature("ssh-ed25519", new byte[64])),
    };

    public static string Line(SshCertificate certificate) => $"{certificate.Type} {Convert.ToBase64String(certificate.Blob.Span)}";

    /// <summary>The authority's key as a line has it.</summary>
    public static string AuthorityLine(SshCertificate certificate) =>
        $"{SshPublicKeys.TypeOf(certificate.Authority.Span)} {Convert.ToBase64String(certificate.Authority.Span)}";

    private static SshCertificate OfToken(SshCertificateKind kind, byte flags)
    {
        using var key = new Ed25519PrivateKey([.. Enumerable.Repeat((byte)9, 32)]);
        var blob = Bytes(w => { w.WriteString(Token); w.WriteString(key.PublicKey); w.WriteString("ssh:"); });
        return Make(kind, blob, data => Bytes(w =>
        {
            w.WriteString(Token);
            w.WriteString(key.Sign(ByToken(data)));
            w.WriteByte(flags);
            w.WriteUInt32(7);
        }));
    }

    private static SshCertificate OfCurveToken(SshCertificateKind kind)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var point = key.ExportParameters(false).Q;
        var blob = Bytes(w =>
        {
            w.WriteString(CurveToken);
            w.WriteString("nistp256");
            w.WriteString([4, .. point.X!, .. point.Y!]);
            w.WriteString("ssh:");
        });
        return Make(kind, blob, data => Bytes(w =>
        {
            var both = key.SignData(ByToken(data), HashAlgorithmName.SHA256);
            w.WriteString(CurveToken);
            w.WriteString(Bytes(inner =>
            {
                inner.WriteUnsignedInteger(both.AsSpan(0, 32));
                inner.WriteUnsignedInteger(both.AsSpan(32));
            }));
            w.WriteByte(1);
            w.WriteUInt32(7);
        }));
    }

    // Flags 1 and counter 7.
    private static byte[] ByToken(byte[] data) => [.. SHA256.HashData("ssh:"u8), 1, 0, 0, 0, 7, .. SHA256.HashData(data)];

    private static SshCertificate OfRsa(SshCertificateKind kind, int bits, string algorithm, HashAlgorithmName hash)
    {
        using var key = RSA.Create(bits);
        var parameters = key.ExportParameters(false);
        var blob = Bytes(w =>
        {
            w.WriteString("ssh-rsa");
            w.WriteUnsignedInteger(parameters.Exponent);
            w.WriteUnsignedInteger(parameters.Modulus);
        });
        return Make(kind, blob, data => Signature(algorithm, key.SignData(data, hash, RSASignaturePadding.Pkcs1)));
    }

    private static SshCertificate Make(SshCertificateKind kind, byte[] authority, Func<byte[], byte[]> sign)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString("ssh-ed25519-cert-v01@openssh.com");
        writer.WriteString(new byte[32]);
        writer.WriteString(Read.Blob(TestKeys.Ed25519Public).AsSpan(^32));
        writer.WriteUInt64(1);
        writer.WriteUInt32((uint)kind);
        writer.WriteString("id");
        writer.WriteString(Bytes(w => w.WriteString("files.example.org")));
        writer.WriteUInt64(0);
        writer.WriteUInt64(ulong.MaxValue);
        for (var i = 0; i < 3; i++) writer.WriteString("");
        writer.WriteString(authority);
        writer.WriteString(sign(writer.WrittenSpan.ToArray()));
        return SshCertificate.Parse(writer.WrittenMemory);
    }

    private static byte[] Signature(string algorithm, byte[] signature) => SignatureBlob.Write(algorithm, signature);

    private static byte[] Bytes(Action<IBufferWriter<byte>> write) => ScriptedServer.Message(write);
}
