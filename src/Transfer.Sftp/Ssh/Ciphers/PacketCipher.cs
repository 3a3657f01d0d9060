namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>
/// Protects the binary packets of one direction (RFC 4253 section 6) in place. A packet is the length field, the padding length, the
/// payload and the padding; on the wire a tag follows. Not thread-safe: packets are a sequence.
/// </summary>
internal abstract class PacketCipher : IDisposable
{
    /// <summary>The size of the length field, whose value counts all bytes after the field except the tag.</summary>
    public const int LengthSize = 4;

    /// <summary>The unit of lengths, at least 8 bytes.</summary>
    public abstract int BlockSize { get; }

    /// <summary>The bytes of the MAC or the authentication tag after a packet.</summary>
    public abstract int TagSize { get; }

    /// <summary>
    /// True when the length field counts towards the multiple of <see cref="BlockSize"/>; false where the field is protected apart from
    /// the rest.
    /// </summary>
    public abstract bool AlignsLength { get; }

    /// <summary>The number of bytes of a packet that <see cref="OpenLength"/> needs.</summary>
    public abstract int HeaderSize { get; }

    /// <summary>Encrypts a packet and writes the tag.</summary>
    public abstract void Seal(uint sequence, Span<byte> packet, Span<byte> tag);

    /// <summary>
    /// The packet's length field, from its first <see cref="HeaderSize"/> bytes; called once a packet. Not authentic yet.
    /// </summary>
    public abstract uint OpenLength(uint sequence, Span<byte> header);

    /// <summary>
    /// Decrypts a packet whose length was opened; false when the tag does not match. Tags are compared in constant time.
    /// </summary>
    public abstract bool Open(uint sequence, Span<byte> packet, ReadOnlySpan<byte> tag);

    /// <summary>The padding for a payload: at least 4 bytes, up to the next multiple (RFC 4253 section 6).</summary>
    public int PaddingFor(int payload)
    {
        var counted = 1 + payload + (AlignsLength ? LengthSize : 0);
        var padding = BlockSize - (counted % BlockSize);
        return padding < 4 ? padding + BlockSize : padding;
    }

    public virtual void Dispose()
    {
        // A cipher without keys holds nothing.
    }
}
