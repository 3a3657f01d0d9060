using System.Numerics;
using System.Runtime.InteropServices;

namespace Transfer.Batch.Archive.Tar;

/// <summary>Tar's blocks and fields (POSIX.1-2017, pax, "ustar Interchange Format").</summary>
internal static class TarFormat
{
    public const int Block = 512;

    public const int NameLength = 100;
    public const int PrefixLength = 155;
    public const int NumberLength = 8;
    public const int LongNumberLength = 12;

    public const int ModeAt = 100;
    public const int UidAt = 108;
    public const int GidAt = 116;
    public const int SizeAt = 124;
    public const int TimeAt = 136;
    public const int ChecksumAt = 148;
    public const int TypeAt = 156;
    public const int LinkAt = 157;
    public const int MagicAt = 257;
    public const int VersionAt = 263;
    public const int DeviceMajorAt = 329;
    public const int DeviceMinorAt = 337;
    public const int PrefixAt = 345;

    /// <summary>GNU's types of entries that hold the next entry's name, or the text of the link.</summary>
    public const byte GnuLongName = (byte)'L';

    /// <inheritdoc cref="GnuLongName"/>
    public const byte GnuLongLink = (byte)'K';

    /// <summary>The greatest number of eleven octal digits.</summary>
    public const long MostOctal = (1L << 33) - 1;

    /// <summary>Characters of a path or of a link's text; longer ones no system takes.</summary>
    public const int MostPath = 4096;

    /// <summary>POSIX.1-2024, pax: how names in the header are encoded. Without one they are UTF-8.</summary>
    public const string CharsetKey = "hdrcharset";

    public const string PathKey = "path";
    public const string LinkPathKey = "linkpath";
    public const string SizeKey = "size";
    public const string ModifiedKey = "mtime";
    public const string CreatedKey = "LIBARCHIVE.creationtime";
    public const string SliceFileKey = "TRANSFER.slice.file";
    public const string SliceOffsetKey = "TRANSFER.slice.offset";
    public const string SliceTotalKey = "TRANSFER.slice.total";
    public const string DeltaBaseKey = "TRANSFER.delta.base";
    public const string DeltaBlockKey = "TRANSFER.delta.block";
    public const string DeltaLengthKey = "TRANSFER.delta.length";
    public const string DeltaHashKey = "TRANSFER.delta.sha256";
    public const string DeltaBaseHashKey = "TRANSFER.delta.base.sha256";
    public const string SpoiltKey = "TRANSFER.spoilt";

    /// <summary>Returns the number of bytes up to the next block.</summary>
    public static int Padding(long length) => (int)(-length & (Block - 1));

    /// <summary>The sum of a header's bytes, the checksum's own taken for blanks.</summary>
    public static int Checksum(ReadOnlySpan<byte> header)
    {
        // A byte at a time, that was a hundredth of the work of sending many.
        var sums = Vector<ushort>.Zero;
        var blocks = MemoryMarshal.Cast<byte, Vector<byte>>(header[..Block]);
        foreach (var bytes in blocks)
        {
            Vector.Widen(bytes, out var low, out var high);
            sums += low + high;
        }
        Vector.Widen(sums, out var lowest, out var highest);
        var sum = (int)Vector.Sum(lowest + highest);
        foreach (var value in header.Slice(ChecksumAt, NumberLength)) sum += ' ' - value;
        return sum;
    }
}
