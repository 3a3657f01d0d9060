using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>The header of an archive, in front of the frames (docs/internals/batch-format.md, "Header"). All numbers are
/// big-endian.</summary>
internal sealed class ArchiveHeader
{
    /// <summary>The number of bytes from which the header's length is known.</summary>
    public const int FrontLength = 12;

    public const int MostWraps = 255;

    public const int SaltLength = 32;

    /// <summary>The largest payload of a frame, as a power of two.</summary>
    public const int MostFrameBits = 20;

    /// <summary>The length of frames with enough memory, as a power of two.</summary>
    public const int UsualFrameBits = 18;

    private const int LeastFrameBits = 12;
    private const int FixedLength = 104;
    private const int MostLength = 1 << 16;
    private const byte SealedFlag = 1;
    private const byte AgainFlag = 2;

    // The last byte is the version. The bytes that a transfer as text would change are among the rest.
    private static ReadOnlySpan<byte> Magic => [0x89, (byte)'T', (byte)'F', (byte)'A', 0x0D, 0x0A, 0x1A, 1];

    public required JobId Job { get; init; }

    /// <summary>The archive's number in the job, from 0.</summary>
    public required long Index { get; init; }

    /// <summary>Whether the archive is sealed; false: there is a checksum only.</summary>
    public required bool IsSealed { get; init; }

    /// <summary>Whether the archive, or parts of it, may have been received before: a file in the target that looks the same is then the
    /// work of that earlier run.</summary>
    public bool MayBeRepeated { get; init; }

    /// <summary>The limit of a frame's payload, as a power of two.</summary>
    public int FrameBits { get; init; } = UsualFrameBits;

    /// <summary>32 random bytes that no other writing of an archive has.</summary>
    public required ReadOnlyMemory<byte> Salt { get; init; }

    /// <summary>The SHA-256 of the carrier's statement about the job, sent before the archives; zeros without a statement.</summary>
    public ReadOnlyMemory<byte> Manifest { get; init; } = new byte[SHA256.HashSizeInBytes];

    public required IReadOnlyList<KeyWrap> Wraps { get; init; }

    /// <summary>A name of the key, the same for all archives that share a secret.</summary>
    public string KeyName
    {
        get
        {
            using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            Span<byte> job = stackalloc byte[JobId.Length];
            Job.Write(job);
            hash.AppendData(job);
            foreach (var wrap in Wraps)
            {
                hash.AppendData([(byte)wrap.Kind]);
                hash.AppendData(wrap.Body.Span);
            }
            return Convert.ToHexString(hash.GetHashAndReset());
        }
    }

    /// <summary>Returns a header's length, from the first <see cref="FrontLength"/> bytes.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: there is no archive, one of another version, or an
    /// unlikely length.</exception>
    public static int LengthOf(ReadOnlySpan<byte> front)
    {
        if (!front.StartsWith(Magic[..^1])) throw Malformed("it does not begin like one");
        if (front[Magic.Length - 1] != Magic[^1])
        {
            throw new TransferException(TransferError.Unsupported,
                $"The archive is of version {front[Magic.Length - 1]}; {Magic[^1]} is known here.");
        }

        var length = BinaryPrimitives.ReadUInt32BigEndian(front[Magic.Length..]);
        return length is >= FixedLength and <= MostLength ? (int)length : throw Malformed("its header has an impossible length");
    }

    /// <summary>Parses a whole header, without bytes behind it.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the header is malformed.</exception>
    public static ArchiveHeader Parse(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < FrontLength || LengthOf(bytes) != bytes.Length) throw Malformed("its header has an impossible length");
        var flags = bytes[12];
        if (flags > (SealedFlag | AgainFlag) || bytes[14] != 0) throw Malformed("its header has unknown flags");
        if (bytes[13] is < LeastFrameBits or > MostFrameBits) throw Malformed("its frames have an impossible size");
        var index = BinaryPrimitives.ReadInt64BigEndian(bytes[32..]);
        if (index < 0) throw Malformed("its number is impossible");
        return new ArchiveHeader
        {
            IsSealed = (flags & SealedFlag) != 0,
            MayBeRepeated = (flags & AgainFlag) != 0,
            FrameBits = bytes[13],
            Job = JobId.Read(bytes[16..]),
            Index = index,
            Salt = bytes.Slice(40, SaltLength).ToArray(),
            Manifest = bytes.Slice(72, SHA256.HashSizeInBytes).ToArray(),
            Wraps = ParseWraps(bytes[15], bytes[FixedLength..]),
        };
    }

    public byte[] ToBytes()
    {
        var bytes = new byte[FixedLength + Wraps.Sum(wrap => 3 + wrap.Body.Length)];
        if (bytes.Length > MostLength || Wraps.Count > MostWraps)
            throw new InvalidOperationException("An archive's header has no room for so many keys.");
        Magic.CopyTo(bytes);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(Magic.Length), bytes.Length);
        bytes[12] = (byte)((IsSealed ? SealedFlag : 0) | (MayBeRepeated ? AgainFlag : 0));
        bytes[13] = (byte)FrameBits;
        bytes[15] = (byte)Wraps.Count;
        Job.Write(bytes.AsSpan(16));
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(32), Index);
        Salt.Span.CopyTo(bytes.AsSpan(40));
        Manifest.Span.CopyTo(bytes.AsSpan(72));
        var at = FixedLength;
        foreach (var wrap in Wraps)
        {
            bytes[at] = (byte)wrap.Kind;
            BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(at + 1), (ushort)wrap.Body.Length);
            wrap.Body.Span.CopyTo(bytes.AsSpan(at + 3));
            at += 3 + wrap.Body.Length;
        }
        return bytes;
    }

    private static List<KeyWrap> ParseWraps(int count, ReadOnlySpan<byte> bytes)
    {
        var wraps = new List<KeyWrap>(count);
        for (; count > 0; count--)
        {
            if (bytes.Length < 3) throw Malformed("its keys are cut off");
            var length = BinaryPrimitives.ReadUInt16BigEndian(bytes[1..]);
            if (bytes.Length - 3 < length) throw Malformed("its keys are cut off");
            wraps.Add(new KeyWrap((KeyWrapKind)bytes[0], bytes.Slice(3, length).ToArray()));
            bytes = bytes[(3 + length)..];
        }
        return bytes.IsEmpty ? wraps : throw Malformed("something stands behind its keys");
    }

    private static TransferException Malformed(string why) => new(TransferError.Protocol, $"This is no archive: {why}.");
}
