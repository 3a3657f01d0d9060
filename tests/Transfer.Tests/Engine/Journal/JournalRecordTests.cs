using FsCheck;
using FsCheck.Fluent;
using Transfer.Journal;

namespace Transfer.Tests.Engine.Journal;

public sealed class JournalRecordTests
{
    [Test]
    public void What_is_written_is_read()
    {
        // A byte that is no UTF-8 is half of a surrogate in names.
        const string Name = "dir/\uDC80 \n ä";
        var stamp = new SourceStamp(1L << 40, 638_000_000_000_000_000);
        JournalRecord[] records =
        [
            new JournalRecord.RunBegan("upload /a to ftp://host/b", "0123456789abcdef"),
            new JournalRecord.FileBegan(Name, stamp, "/b/.transfer-x.part"),
            new JournalRecord.FileBegan(Name, stamp, "/b/.transfer-x.part", IsDivided: true),
            new JournalRecord.FileStarted(NameKey.Of(Name), stamp), new JournalRecord.FileDone(NameKey.Of(Name), stamp),
            new JournalRecord.FileKept("/b/.transfer-x.part/", "/b/x"), new JournalRecord.FileKeptEnded("/b/.transfer-x.part/"),
        ];
        foreach (var record in records) Assert.That(JournalRecord.Parse(record.ToBytes()), Is.EqualTo(record));
        var range =
            (JournalRecord.RangeArrived)JournalRecord.Parse(new JournalRecord.RangeArrived(Name, 5, 1L << 33, [1, 2, 3]).ToBytes())!;
        Assert.That((range.Name, range.Start, range.End), Is.EqualTo((Name, 5L, 1L << 33)));
        Assert.That(range.Tail, Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public void Names_that_differ_in_what_no_encoding_keeps_have_keys_of_their_own() =>
        Assert.That(NameKey.Of("a\uDC80"), Is.Not.EqualTo(NameKey.Of("a\uDC81")));

    [Test]
    public void Any_bytes_are_a_record_or_none() =>
        Prop.ForAll<byte, byte[]>((kind, rest) => _ = JournalRecord.Parse((byte[])[(byte)(kind % 9), .. rest])).QuickCheckThrowOnFailure();

    [Test]
    public void Ranges_are_the_bytes_that_were_added() => Prop.ForAll<byte[]>(numbers => Compare(numbers)).QuickCheckThrowOnFailure();

    private static void Compare(byte[] numbers)
    {
        var (ranges, bytes) = (new ByteRanges(), new bool[64]);
        foreach (var pair in numbers.Chunk(2).Where(pair => pair.Length == 2))
        {
            var (start, end) = (pair[0] % 64, pair[1] % 64);
            ranges.Add(start, end);
            for (var i = start; i < end; i++) bytes[i] = true;
        }
        var missing = new bool[64];
        foreach (var (start, end) in ranges.Holes(64))
        {
            for (var i = start; i < end; i++) missing[i] = true;
        }
        Assert.That(missing, Is.EqualTo(bytes.Select(there => !there)));
        Assert.That(ranges.Count, Is.EqualTo(bytes.Count(there => there)));
        Assert.That(ranges.All.Zip(ranges.All.Skip(1)).All(pair => pair.First.End < pair.Second.Start));
    }
}
