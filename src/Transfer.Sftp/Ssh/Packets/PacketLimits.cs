namespace Transfer.Sftp.Ssh.Packets;

/// <summary>Sizes of the binary packet layer, in bytes.</summary>
internal static class PacketLimits
{
    /// <summary>The largest value of a length field that is taken: what OpenSSH takes too; RFC 4253 section 6.1 asks for 35,000 at least.</summary>
    public const int MaxLength = 256 * 1024;

    /// <summary>The length field, the padding length and one byte of payload.</summary>
    public const int MinLength = 1 + 1 + MinPadding;

    public const int MinPadding = 4;

    /// <summary>What surrounds a payload at most: length, padding length, padding, tag.</summary>
    public const int MaxOverhead = 4 + 1 + 255 + 64;

    /// <summary>How much is read from the socket at once, at most; a packet of the largest size fits twice.</summary>
    public const int ReadBuffer = 2 * (MaxLength + MaxOverhead);

    /// <summary>How much data is sealed ahead of the socket.</summary>
    public const int WriteBuffer = 256 * 1024;

    /// <summary>How much may wait for the peer to read: a peer that asks and never reads the answers is cut off.</summary>
    public const int MaxBacklog = 4 * WriteBuffer;

    /// <summary>The data of a channel message that every peer takes (RFC 4253 section 6.1).</summary>
    public const int MaxSendData = 32 * 1024;

    /// <summary>The data of a channel message that we take.</summary>
    public const int MaxReceiveData = 64 * 1024;
}
