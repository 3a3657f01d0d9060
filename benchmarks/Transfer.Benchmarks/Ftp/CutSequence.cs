using System.Buffers;

namespace Transfer.Benchmarks.Ftp;

/// <summary>Bytes as a pipe hands them out: in segments.</summary>
internal sealed class CutSequence : ReadOnlySequenceSegment<byte>
{
    private CutSequence(ReadOnlyMemory<byte> memory, long index)
    {
        Memory = memory;
        RunningIndex = index;
    }

    public static ReadOnlySequence<byte> Create(ReadOnlyMemory<byte> bytes, int segment)
    {
        var first = new CutSequence(bytes[..segment], 0);
        var last = first;
        for (var at = segment; at < bytes.Length; at += segment)
        {
            var next = new CutSequence(bytes[at..Math.Min(at + segment, bytes.Length)], at);
            last.Next = next;
            last = next;
        }
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }
}
