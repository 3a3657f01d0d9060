using Transfer.Sftp.Keys;

namespace Transfer.Tests.Sftp.Keys;

/// <summary>Reads the fixtures' public key lines.</summary>
internal static class Read
{
    public static byte[] Blob(string line) => Convert.FromBase64String(line.Split(' ')[1]);

    public static SshPublicKey PublicKey(string line) => SshPublicKeys.Parse(Blob(line));

    public static SshCertificate Certificate(string line) => SshCertificate.Parse(Blob(line));
}
