namespace Transfer.Sftp.Ssh.Kex;

/// <summary>The messages before the exchange proper: both version lines without the line end, and both KEXINIT messages.</summary>
internal sealed record KexTranscript(
    ReadOnlyMemory<byte> ClientVersion, ReadOnlyMemory<byte> ServerVersion, ReadOnlyMemory<byte> ClientInit,
    ReadOnlyMemory<byte> ServerInit)
{
    public int Size => ClientVersion.Length + ServerVersion.Length + ClientInit.Length + ServerInit.Length;
}
