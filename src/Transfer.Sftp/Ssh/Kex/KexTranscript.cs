namespace Transfer.Sftp.Ssh.Kex;

/// <summary>What both sides said before the exchange proper: their version lines without the line end, and their KEXINIT messages.</summary>
internal sealed record KexTranscript(
    ReadOnlyMemory<byte> ClientVersion, ReadOnlyMemory<byte> ServerVersion, ReadOnlyMemory<byte> ClientInit, ReadOnlyMemory<byte> ServerInit)
{
    public int Size => ClientVersion.Length + ServerVersion.Length + ClientInit.Length + ServerInit.Length;
}
