using System.Buffers.Binary;

namespace Transfer.Batch.Archive.Tar;

/// <summary>
/// Reads a tar stream that arrives in pieces of any length: ustar and pax (POSIX.1-2017), and the extensions of GNU tar (long names, large
/// numbers). Holds one header and one extended header at most.
/// </summary>
internal sealed class TarReader
{

    private readonly ITarTarget _target;
    private readonly byte[] _header = new byte[TarFormat.Block];
    private byte[] _extended = [];
    private int _filled;
    private long _content;
    private int _padding;
    private byte _extendedType;
    private PaxRecords _records = new();
    private State _state;

    /// <param name="target">Receives the entries.</param>
    public TarReader(ITarTarget target)
    {
        _target = target;
    }

    private enum State
    {
        Header,
        Extended,
        Content,
        Padding,
        End,
    }

    /// <summary>Reads the next piece.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the bytes are no tar stream.</exception>
    public void Read(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            switch (_state)
            {
                case State.Header when Fill(_header, ref bytes):
                    ReadHeader();
                    break;
                case State.Extended when Fill(_extended, ref bytes):
                    EndExtended();
                    break;
                case State.Content:
                    var count = (int)Math.Min(_content, bytes.Length);
                    _target.Write(bytes[..count]);
                    bytes = bytes[count..];
                    _content -= count;
                    if (_content == 0) EndContent();
                    break;
                case State.Padding:
                    var pad = Math.Min(_padding, bytes.Length);
                    bytes = bytes[pad..];
                    _padding -= pad;
                    if (_padding == 0) _state = State.Header;
                    break;
                case State.End when bytes.ContainsAnyExcept((byte)0):
                    throw Malformed("something stands behind its end");
                case State.End:
                    return;
            }
        }
    }

    /// <summary>Ends the stream.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the end is missing.</exception>
    public void Complete()
    {
        if (_state != State.End) throw Malformed("its end is missing");
    }

    private bool Fill(Span<byte> into, ref ReadOnlySpan<byte> bytes)
    {
        var count = Math.Min(into.Length - _filled, bytes.Length);
        bytes[..count].CopyTo(into[_filled..]);
        bytes = bytes[count..];
        _filled += count;
        if (_filled < into.Length) return false;
        _filled = 0;
        return true;
    }

    private void ReadHeader()
    {
        if (!_header.AsSpan().ContainsAnyExcept((byte)0))
        {
            _state = State.End;
            return;
        }
        if (Number(TarFormat.ChecksumAt, TarFormat.NumberLength) != TarFormat.Checksum(_header))
            throw Malformed("the checksum of a header is wrong");
        var type = _header[TarFormat.TypeAt];
        if (type is (byte)'x' or (byte)'g' or TarFormat.GnuLongName or TarFormat.GnuLongLink) BeginExtended(type);
        else BeginEntry(type);
    }

    private void BeginExtended(byte type)
    {
        var length = Number(TarFormat.SizeAt, TarFormat.LongNumberLength);
        if (length > PaxRecords.MostLength) throw Malformed("an extended header is too long");
        _extendedType = type;
        _padding = TarFormat.Padding(length);
        if (_extended.Length != (int)length) _extended = new byte[(int)length];
        _state = State.Extended;
        if (length == 0) EndExtended();
    }

    private void EndExtended()
    {
        switch (_extendedType)
        {
            case TarFormat.GnuLongName:
                _records.Path = PaxRecords.Decode(UntilNul(_extended));
                break;
            case TarFormat.GnuLongLink:
                _records.LinkPath = PaxRecords.Decode(UntilNul(_extended));
                break;
            case (byte)'x':
                _records.Read(_extended);
                break;
            default:
                // Of all that may stand in a global header, only this is meant for us.
                var global = new PaxRecords();
                global.Read(_extended);
                if (global.InvalidEntry is { } ordinal) _target.Invalidate(ordinal);
                break;
        }
        _state = _padding > 0 ? State.Padding : State.Header;
    }

    private void BeginEntry(byte type)
    {
        var records = _records;
        _records = new PaxRecords();
        var path = records.Path ?? PathOf();
        var kind = type switch
        {
            (byte)'0' or 0 or (byte)'7' => path.EndsWith('/') ? TarEntryType.Directory : TarEntryType.File,
            (byte)'5' => TarEntryType.Directory,
            (byte)'2' => TarEntryType.Link,
            _ => TarEntryType.Other,
        };
        var size = records.Size ?? Number(TarFormat.SizeAt, TarFormat.LongNumberLength);
        // Links of any kind have no content, although old writers give a length.
        if (type is (byte)'1' or (byte)'2') size = 0;
        if (records.Slice is { } slice && (kind != TarEntryType.File || size > slice.Total - slice.Offset))
            throw Malformed("a slice is longer than its file");
        if (records.Delta is not null && (kind != TarEntryType.File || records.Slice is not null))
            throw Malformed("a delta is none of a whole file");
        var link = kind != TarEntryType.Link
            ? string.Empty : records.LinkPath ?? PaxRecords.Decode(UntilNul(_header.AsSpan(TarFormat.LinkAt, TarFormat.NameLength)));
        if (path.Length > TarFormat.MostPath || link.Length > TarFormat.MostPath) throw Malformed("a path is too long");
        _target.Begin(new TarEntry
        {
            Path = path.Length > 1 ? path.TrimEnd('/') : path,
            Type = kind,
            Length = size,
            Mode = (UnixFileMode)(Number(TarFormat.ModeAt, TarFormat.NumberLength) & 0b111_111_111),
            Modified = records.Modified ?? TimeOf(Number(TarFormat.TimeAt, TarFormat.LongNumberLength)),
            Created = records.Created,
            LinkText = link,
            Slice = records.Slice,
            Delta = records.Delta,
        });
        _content = size;
        _padding = TarFormat.Padding(size);
        _state = State.Content;
        if (size == 0) EndContent();
    }

    private void EndContent()
    {
        _target.End();
        _state = _padding > 0 ? State.Padding : State.Header;
    }

    private string PathOf()
    {
        var name = UntilNul(_header.AsSpan(0, TarFormat.NameLength));
        // GNU's old format has other fields where the prefix is.
        var prefix = _header.AsSpan(TarFormat.MagicAt).StartsWith("ustar\0"u8)
            ? UntilNul(_header.AsSpan(TarFormat.PrefixAt, TarFormat.PrefixLength)) : default;
        return prefix.IsEmpty ? PaxRecords.Decode(name) : $"{PaxRecords.Decode(prefix)}/{PaxRecords.Decode(name)}";
    }

    private static ReadOnlySpan<byte> UntilNul(ReadOnlySpan<byte> field)
    {
        var end = field.IndexOf((byte)0);
        return end < 0 ? field : field[..end];
    }

    private static DateTime TimeOf(long seconds) =>
        seconds < (DateTime.MaxValue.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond
        ? DateTime.UnixEpoch.AddSeconds(seconds) : throw Malformed("a time is impossible");

    // Octal digits, blanks before and blanks or NUL behind; or GNU's binary ones, marked by the highest bit.
    private long Number(int at, int length)
    {
        ReadOnlySpan<byte> field = _header.AsSpan(at, length);
        if (field[0] == 0x80)
        {
            var binary = BinaryPrimitives.ReadInt64BigEndian(field[^sizeof(long)..]);
            return length > sizeof(long) && binary >= 0 && !field[1..^sizeof(long)].ContainsAnyExcept((byte)0) ? binary
                : throw Malformed("a number is impossible");
        }
        field = field.Trim(" \0"u8);
        long value = 0;
        foreach (var digit in field)
        {
            if (digit is < (byte)'0' or > (byte)'7') throw Malformed("a number is none");
            value = value << 3 | (long)(digit - '0');
        }
        return value;
    }

    private static TransferException Malformed(string why) =>
        new(TransferError.Protocol, $"The archive's content is no tar stream: {why}.");
}
