using System.Buffers;
using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Spool.Records;

/// <summary>Writes the fields of a record one after the other; <see cref="LinkFields"/> reads them.</summary>
internal sealed class RecordWriter
{
    private readonly ArrayBufferWriter<byte> _bytes = new();

    public byte[] ToArray() => _bytes.WrittenSpan.ToArray();

    public RecordWriter Byte(byte value) => Bytes([value]);

    public RecordWriter UInt16(int value)
    {
        BinaryPrimitives.WriteUInt16BigEndian(_bytes.GetSpan(sizeof(ushort)), (ushort)value);
        _bytes.Advance(sizeof(ushort));
        return this;
    }

    public RecordWriter Number(long value)
    {
        BinaryPrimitives.WriteInt64BigEndian(_bytes.GetSpan(sizeof(long)), value);
        _bytes.Advance(sizeof(long));
        return this;
    }

    public RecordWriter Bytes(ReadOnlySpan<byte> bytes)
    {
        _bytes.Write(bytes);
        return this;
    }

    public RecordWriter Job(Sealing.JobId job)
    {
        job.Write(_bytes.GetSpan(Sealing.JobId.Length));
        _bytes.Advance(Sealing.JobId.Length);
        return this;
    }

    /// <summary>Writes bytes behind their number, which is one byte.</summary>
    public RecordWriter ShortBytes(ReadOnlySpan<byte> bytes) => Byte((byte)bytes.Length).Bytes(bytes);

    /// <summary>Writes text in UTF-8 behind its length in bytes, a number of two bytes.</summary>
    public RecordWriter Text(string text)
    {
        var bytes = NameEncoding.LosslessUtf8.GetBytes(text);
        return UInt16(bytes.Length).Bytes(bytes);
    }
}
