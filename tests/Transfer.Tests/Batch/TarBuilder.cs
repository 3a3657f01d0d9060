using System.Buffers;
using System.Text;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Tests.Batch;

/// <summary>Makes tar streams, also such as nobody should.</summary>
internal sealed class TarBuilder
{
    private readonly TarHeaders _headers = new();
    private readonly ArrayBufferWriter<byte> _stream = new();

    public static readonly DateTime Time = new(2024, 5, 6, 7, 8, 9, DateTimeKind.Utc);

    public TarBuilder Add(string path, string content = "", TarEntryType type = TarEntryType.File, string link = "",
        TarSlice? slice = null) => Add(
        new TarEntry
        {
            Path = path,
            Type = type,
            Length = content.Length,
            LinkText = link,
            Slice = slice,
            Mode = (UnixFileMode)0b110_100_100,
            Modified = Time
        },
        Encoding.ASCII.GetBytes(content));

    public TarBuilder Add(TarEntry entry, byte[] content)
    {
        _stream.Write(_headers.Of(entry).Span);
        return Content(content);
    }

    public TarBuilder Spoil(int ordinal)
    {
        _stream.Write(_headers.InvalidEntry(ordinal).Span);
        return this;
    }

    /// <summary>A header of its own kind.</summary>
    public TarBuilder AddRaw(string name, char type, string body = "", Action<byte[]>? change = null)
    {
        var header = _headers.Of(new TarEntry { Path = "x", Type = TarEntryType.File, Length = body.Length, Modified = Time }).ToArray();
        header.AsSpan(0, TarFormat.NameLength).Clear();
        Encoding.Latin1.GetBytes(name).CopyTo(header, 0);
        header[TarFormat.TypeAt] = (byte)type;
        change?.Invoke(header);
        var sum = Convert.ToString(TarFormat.Checksum(header), 8).PadLeft(6, '0') + "\0 ";
        Encoding.ASCII.GetBytes(sum).CopyTo(header, TarFormat.ChecksumAt);
        _stream.Write(header.AsSpan());
        return Content(Encoding.Latin1.GetBytes(body));
    }

    public byte[] ToBytes() => [.. _stream.WrittenSpan, .. new byte[2 * TarFormat.Block]];

    private TarBuilder Content(byte[] content)
    {
        _stream.Write(content);
        _stream.Write(new byte[TarFormat.Padding(content.Length)]);
        return this;
    }
}
