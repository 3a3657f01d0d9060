using System.Buffers.Binary;
using System.Text;

namespace Transfer.Sftp.Ssh.Wire;

/// <summary>Reads the data types of RFC 4251 section 5 from one message. A misfit is <see cref="TransferError.Protocol"/>.</summary>
internal ref struct SshReader(ReadOnlySpan<byte> message)
{
    /// <summary>The bytes not read yet.</summary>
    public ReadOnlySpan<byte> Rest { get; private set; } = message;

    public byte ReadByte() => Take(1)[0];

    public bool ReadBoolean() => ReadByte() != 0;

    public uint ReadUInt32() => BinaryPrimitives.ReadUInt32BigEndian(Take(4));

    public ulong ReadUInt64() => BinaryPrimitives.ReadUInt64BigEndian(Take(8));

    /// <summary>A <c>string</c>: a length and as many bytes, not copied.</summary>
    public ReadOnlySpan<byte> ReadString()
    {
        var length = ReadUInt32();
        if (length > (uint)Rest.Length) throw TooShort();
        return Take((int)length);
    }

    /// <summary>A <c>string</c> that holds text; bytes that are no UTF-8 become replacement characters.</summary>
    public string ReadText() => Encoding.UTF8.GetString(ReadString());

    /// <summary>An <c>mpint</c> that must not be negative: the magnitude, big-endian, without leading zeros.</summary>
    public ReadOnlySpan<byte> ReadUnsignedInteger()
    {
        var bytes = ReadString();
        if (!bytes.IsEmpty && (bytes[0] & 0x80) != 0)
            throw new TransferException(TransferError.Protocol, "A negative integer where SSH has only positive ones.");
        return bytes.TrimStart((byte)0);
    }

    /// <summary>A <c>name-list</c>.</summary>
    public string[] ReadNameList()
    {
        var text = ReadString();
        return text.IsEmpty ? [] : Encoding.ASCII.GetString(text).Split(',');
    }

    public ReadOnlySpan<byte> Take(int count)
    {
        if (count > Rest.Length) throw TooShort();
        var taken = Rest[..count];
        Rest = Rest[count..];
        return taken;
    }

    private static TransferException TooShort() => new(TransferError.Protocol, "An SSH message ends before its last field.");
}
