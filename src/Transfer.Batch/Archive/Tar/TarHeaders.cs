using System.Globalization;
using System.Text;
using System.Text.Unicode;

namespace Transfer.Batch.Archive.Tar;

/// <summary>
/// Writes the headers of entries: ustar where the facts fit, else with a pax extended header in front (POSIX.1-2017, pax). One buffer is
/// used again and again.
/// </summary>
internal sealed class TarHeaders
{
    private const int MostDigits = 20;
    private static readonly byte[] PaxName = "PaxHeader"u8.ToArray();
    private static readonly byte[] GnuName = "././@LongLink"u8.ToArray();

    private readonly bool _rawNames;
    private byte[] _buffer = new byte[4 * TarFormat.Block];
    private int _length;

    /// <param name="rawNames">
    /// Whether names are written as their bytes, long ones in GNU's way: every system's tar accepts them, in any locale. Else names outside
    /// ASCII are in an extended header, which declares them UTF-8.
    /// </param>
    public TarHeaders(bool rawNames = false) => _rawNames = rawNames;

    /// <summary>The headers of an entry, until the next call.</summary>
    public ReadOnlyMemory<byte> Of(TarEntry entry)
    {
        _length = 0;
        var path = NameEncoding.LosslessUtf8.GetBytes(entry.Type == TarEntryType.Directory ? entry.Path + "/" : entry.Path);
        var link = entry.LinkText.Length == 0 ? [] : NameEncoding.LosslessUtf8.GetBytes(entry.LinkText);
        var (prefix, name) = Split(path);
        if (_rawNames && link.Length > TarFormat.NameLength) AppendName(TarFormat.GnuLongLink, link);
        if (_rawNames && name.IsEmpty) AppendName(TarFormat.GnuLongName, path);
        var extended = Begin((byte)'x');
        if (!_rawNames && !(Utf8.IsValid(path) && Utf8.IsValid(link))) AppendRecord(TarFormat.CharsetKey, "BINARY"u8);
        if (!_rawNames && name.IsEmpty) AppendRecord(TarFormat.PathKey, path);
        if (!_rawNames && (link.Length > TarFormat.NameLength || !Ascii.IsValid(link))) AppendRecord(TarFormat.LinkPathKey, link);
        if (entry.Length > TarFormat.MostOctal) AppendRecord(TarFormat.SizeKey, entry.Length);
        var ticks = entry.Modified.Ticks - DateTime.UnixEpoch.Ticks;
        var fitsTime = ticks >= 0 && ticks % TimeSpan.TicksPerSecond == 0 && ticks / TimeSpan.TicksPerSecond <= TarFormat.MostOctal;
        if (!fitsTime) AppendRecord(TarFormat.ModifiedKey, entry.Modified);
        if (entry.Created is { } created) AppendRecord(TarFormat.CreatedKey, created);
        if (entry.Slice is { } slice)
        {
            AppendRecord(TarFormat.SliceFileKey, slice.File);
            AppendRecord(TarFormat.SliceOffsetKey, slice.Offset);
            AppendRecord(TarFormat.SliceTotalKey, slice.Total);
        }
        if (entry.Delta is { } delta) AppendRecords(delta);
        End(extended);
        WriteHeader(entry, name.IsEmpty ? Cut(path) : name, prefix, Cut(link), fitsTime ? ticks / TimeSpan.TicksPerSecond : 0);
        return _buffer.AsMemory(0, _length);
    }

    /// <summary>Returns the headers that mark an earlier entry as invalid, valid until the next call.</summary>
    /// <param name="ordinal">The entry's number in the archive, from 0.</param>
    public ReadOnlyMemory<byte> InvalidEntry(int ordinal)
    {
        _length = 0;
        var extended = Begin((byte)'g');
        AppendRecord(TarFormat.SpoiltKey, ordinal);
        End(extended);
        return _buffer.AsMemory(0, _length);
    }

    // Prefix and name, where both fit; an empty name: they don't.
    private (ReadOnlyMemory<byte> Prefix, ReadOnlyMemory<byte> Name) Split(byte[] path)
    {
        if (!_rawNames && !Ascii.IsValid(path)) return default;
        if (path.Length <= TarFormat.NameLength) return (default, path);
        // The slash between them is not written: the longest prefix leaves the shortest name, but that must not be empty.
        var most = Math.Min(TarFormat.PrefixLength, path.Length - 2);
        var slash = path.AsSpan(0, most + 1).LastIndexOf((byte)'/');
        return slash > 0 && path.Length - slash - 1 <= TarFormat.NameLength ? (path.AsMemory(0, slash), path.AsMemory(slash + 1)) : default;
    }

    // The part of a long name for old readers; never half a character.
    private static ReadOnlyMemory<byte> Cut(byte[] text)
    {
        var length = Math.Min(text.Length, TarFormat.NameLength);
        while (length < text.Length && length > 0 && (text[length] & 0xC0) == 0x80) length--;
        return text.AsMemory(0, length);
    }

    // Appends an entry with the name of the next one as content.
    private void AppendName(byte type, byte[] name)
    {
        var header = Next(TarFormat.Block);
        header.Clear();
        GnuName.CopyTo(header);
        header[TarFormat.TypeAt] = type;
        Octal(header.Slice(TarFormat.SizeAt, TarFormat.LongNumberLength), name.Length + 1);
        Finish(header, 0b110_100_100);
        var content = Next(name.Length + 1 + TarFormat.Padding(name.Length + 1));
        content.Clear();
        name.CopyTo(content);
    }

    private int Begin(byte type)
    {
        var at = _length;
        var header = Next(TarFormat.Block);
        header.Clear();
        PaxName.CopyTo(header);
        header[TarFormat.TypeAt] = type;
        return at;
    }

    // Without a record, no extended header is written.
    private void End(int at)
    {
        var records = _length - at - TarFormat.Block;
        if (records == 0)
        {
            _length = at;
            return;
        }
        Next(TarFormat.Padding(records)).Clear();
        var header = _buffer.AsSpan(at, TarFormat.Block);
        Octal(header.Slice(TarFormat.SizeAt, TarFormat.LongNumberLength), records);
        Finish(header, 0b110_100_100);
    }

    private void WriteHeader(TarEntry entry, ReadOnlyMemory<byte> name, ReadOnlyMemory<byte> prefix, ReadOnlyMemory<byte> link,
        long seconds)
    {
        var header = Next(TarFormat.Block);
        header.Clear();
        name.Span.CopyTo(header);
        prefix.Span.CopyTo(header[TarFormat.PrefixAt..]);
        link.Span.CopyTo(header[TarFormat.LinkAt..]);
        header[TarFormat.TypeAt] = entry.Type switch
        {
            TarEntryType.Directory => (byte)'5',
            TarEntryType.Link => (byte)'2',
            _ => (byte)'0',
        };
        Octal(header.Slice(TarFormat.SizeAt, TarFormat.LongNumberLength), entry.Length > TarFormat.MostOctal ? 0 : entry.Length);
        Octal(header.Slice(TarFormat.TimeAt, TarFormat.LongNumberLength), seconds);
        Finish(header, (int)entry.Mode);
    }

    private static void Finish(Span<byte> header, int mode)
    {
        Octal(header.Slice(TarFormat.ModeAt, TarFormat.NumberLength), mode);
        Octal(header.Slice(TarFormat.UidAt, TarFormat.NumberLength), 0);
        Octal(header.Slice(TarFormat.GidAt, TarFormat.NumberLength), 0);
        if (header[TarFormat.TimeAt] == 0) Octal(header.Slice(TarFormat.TimeAt, TarFormat.LongNumberLength), 0);
        "ustar\0"u8.CopyTo(header[TarFormat.MagicAt..]);
        "00"u8.CopyTo(header[TarFormat.VersionAt..]);
        Octal(header.Slice(TarFormat.DeviceMajorAt, TarFormat.NumberLength), 0);
        Octal(header.Slice(TarFormat.DeviceMinorAt, TarFormat.NumberLength), 0);
        var checksum = header.Slice(TarFormat.ChecksumAt, TarFormat.NumberLength);
        Octal(checksum[..^1], TarFormat.Checksum(header));
        checksum[^1] = (byte)' ';
    }

    // As many digits as fit, and the NUL at the end.
    private static void Octal(Span<byte> field, long value)
    {
        field[^1] = 0;
        for (var i = field.Length - 2; i >= 0; i--)
        {
            field[i] = (byte)('0' + (value & 7));
            value >>= 3;
        }
    }

    private void AppendRecords(TarDelta delta)
    {
        AppendRecord(TarFormat.DeltaBaseKey, delta.BaseLength);
        AppendRecord(TarFormat.DeltaBlockKey, delta.Block);
        AppendRecord(TarFormat.DeltaLengthKey, delta.Length);
        AppendRecord(TarFormat.DeltaHashKey, Encoding.ASCII.GetBytes(Convert.ToHexStringLower(delta.Hash)));
        if (delta.BaseHash is { } hash) AppendRecord(TarFormat.DeltaBaseHashKey, Encoding.ASCII.GetBytes(Convert.ToHexStringLower(hash)));
    }

    private void AppendRecord(string key, DateTime time)
    {
        Span<byte> text = stackalloc byte[PaxTime.MostLength];
        AppendRecord(key, text[..PaxTime.Format(time, text)]);
    }

    private void AppendRecord(string key, long number)
    {
        Span<byte> text = stackalloc byte[MostDigits];
        number.TryFormat(text, out var length, default, CultureInfo.InvariantCulture);
        AppendRecord(key, text[..length]);
    }

    // "length key=value\n", where the length includes the length's own digits.
    private void AppendRecord(string key, ReadOnlySpan<byte> value)
    {
        var rest = key.Length + value.Length + 3;
        var length = rest + 1;
        while (rest + DigitsOf(length) != length) length = rest + DigitsOf(length);
        var record = Next(length);
        length.TryFormat(record, out var at, default, CultureInfo.InvariantCulture);
        record[at++] = (byte)' ';
        at += Encoding.ASCII.GetBytes(key, record[at..]);
        record[at++] = (byte)'=';
        value.CopyTo(record[at..]);
        record[^1] = (byte)'\n';
    }

    private static int DigitsOf(int number)
    {
        var digits = 1;
        for (; number >= 10; number /= 10) digits++;
        return digits;
    }

    private Span<byte> Next(int count)
    {
        if (_length + count > _buffer.Length) Array.Resize(ref _buffer, 2 * (_length + count));
        _length += count;
        return _buffer.AsSpan(_length - count, count);
    }
}
