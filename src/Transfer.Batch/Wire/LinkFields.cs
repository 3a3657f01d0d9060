using System.Buffers.Binary;
using System.Text;

namespace Transfer.Batch.Wire;

/// <summary>Reads the fields of a payload one after the other. A field that is missing or too long, or bytes left over, are a protocol
/// error.</summary>
internal ref struct LinkFields
{
    // Decoding never fails: a name that is not UTF-8 has a form of its own (NameEncoding.LosslessUtf8).
    private static readonly Encoding Names = NameEncoding.LosslessUtf8;

    /// <summary>The most characters of a <see cref="Reason"/>.</summary>
    public const int MostReason = 1000;

    private ReadOnlySpan<byte> _rest;

    public LinkFields(ReadOnlySpan<byte> payload) => _rest = payload;

    public byte Byte() => Take(1)[0];

    public ushort UInt16() => BinaryPrimitives.ReadUInt16BigEndian(Take(2));

    public uint UInt32() => BinaryPrimitives.ReadUInt32BigEndian(Take(4));

    /// <summary>A number that is not negative.</summary>
    public long Number() => BinaryPrimitives.ReadInt64BigEndian(Take(8)) is >= 0 and var number ? number : throw Malformed();

    public byte[] Bytes(int count) => Take(count).ToArray();

    /// <summary>Reads all remaining bytes.</summary>
    public byte[] Rest() => Bytes(_rest.Length);

    /// <summary>Reads bytes behind their number, which is one byte.</summary>
    public byte[] ShortBytes(int max) => Byte() is var count && count <= max ? Bytes(count) : throw Malformed();

    /// <summary>Reads text behind its length in bytes, a number of two bytes.</summary>
    public string Text() => Names.GetString(Take(UInt16()));

    /// <summary>Reads a message for people from a peer that may be hostile: cut to a readable length, without characters that move a
    /// terminal's cursor or the text around.</summary>
    public string Reason()
    {
        var text = Text();
        var length = Math.Min(text.Length, MostReason);
        if (length < text.Length && char.IsHighSurrogate(text[length - 1])) length--;
        return string.Create(length, text, static (to, from) =>
        {
            for (var i = 0; i < to.Length; i++) to[i] = IsHarmless(from[i]) ? from[i] : '?';
        });
    }

    public TransferError Error() => WireError.Read(Byte());

    /// <summary>Verifies that no bytes are left.</summary>
    public readonly void End()
    {
        if (!_rest.IsEmpty) throw Malformed();
    }

    public static int LengthOf(string text) => 2 + Math.Min(Names.GetByteCount(text), ushort.MaxValue);

    private ReadOnlySpan<byte> Take(int count)
    {
        if (_rest.Length < count) throw Malformed();
        var taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }

    // Marks of direction can make one text look like another.
    private static bool IsHarmless(char c) =>
        !(char.IsControl(c) || c is (>= '\u202A' and <= '\u202E') or (>= '\u2066' and <= '\u2069') or '\u2028' or '\u2029');

    private static TransferException Malformed() => new(TransferError.Protocol, "The other side sent a message that is malformed.");

    /// <summary>Writes a text and returns the rest of the room. A text that is too long is cut, which happens only to messages for
    /// people.</summary>
    public static Span<byte> WriteText(Span<byte> to, string text)
    {
        var bytes = Names.GetBytes(text).AsSpan();
        if (bytes.Length > ushort.MaxValue) bytes = bytes[..ushort.MaxValue];
        BinaryPrimitives.WriteUInt16BigEndian(to, (ushort)bytes.Length);
        bytes.CopyTo(to[2..]);
        return to[(2 + bytes.Length)..];
    }
}
