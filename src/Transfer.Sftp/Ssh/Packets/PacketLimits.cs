namespace Transfer.Sftp.Ssh.Packets;

/// <summary>Sizes of the binary packet layer, in bytes.</summary>
internal static class PacketLimits
{
    /// <summary>The largest accepted value of a length field, as in OpenSSH; RFC 4253 section 6.1 requires at least 35,000.</summary>
    public const int MaxLength = 256 * 1024;

    /// <summary>The length field, the padding length and one byte of payload.</summary>
    public const int MinLength = 1 + 1 + MinPadding;

    public const int MinPadding = 4;

    /// <summary>The most bytes around a payload: length, padding length, padding, tag.</summary>
    public const int MaxOverhead = 4 + 1 + 255 + 64;

    /// <summary>The most bytes read from the socket at once; a packet of the largest size fits, and almost a second one.</summary>
    public const int ReadBuffer = 2 * MaxLength;

    /// <summary>The bytes sealed ahead of the socket, in usual cases.</summary>
    public const int WriteBuffer = 256 * 1024;

    /// <summary>The most bytes of data among them: the rest is for the small messages that run the connection.</summary>
    public const int MostData = WriteBuffer - 4 * 1024;

    /// <summary>
    /// The most bytes that wait for the peer to read: a peer that makes requests and never reads the answers is cut off.
    /// </summary>
    public const int MaxBacklog = 4 * WriteBuffer;

    /// <summary>The data of a channel message that every peer takes (RFC 4253 section 6.1).</summary>
    public const int MaxSendData = 32 * 1024;

    /// <summary>The most data of a channel message that the client takes.</summary>
    public const int MaxReceiveData = 64 * 1024;
}
