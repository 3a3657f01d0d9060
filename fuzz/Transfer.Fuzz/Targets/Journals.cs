using Transfer.Journal;

namespace Transfer.Fuzz.Targets;

/// <summary>Records of a job's journal, as a run finds them that goes on.</summary>
internal static class Journals
{
    public static void Read(byte[] input)
    {
        if (JournalRecord.Parse(input) is not { } record) return;
        var first = record.ToBytes();
        if (JournalRecord.Parse(first) is not { } again || !first.AsSpan().SequenceEqual(again.ToBytes()))
            throw new FuzzException("A record is not read as it is written.");
    }
}
