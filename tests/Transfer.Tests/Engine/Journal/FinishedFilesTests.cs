using Transfer.Journal;

namespace Transfer.Tests.Engine.Journal;

public sealed class FinishedFilesTests
{
    [TestCase(0)]
    [TestCase(1)]
    [TestCase(63)]
    [TestCase(10_000)]
    public void Each_is_found_again_and_no_other_whatever_was_expected(int expected)
    {
        var files = new FinishedFiles();
        files.Reserve(expected);
        for (var i = 0; i < 10_000; i++) files.Add(NameKey.Of($"f{i}"), new SourceStamp(i, i + 1));
        Assert.That(files.Count, Is.EqualTo(10_000));
        for (var i = 0; i < 10_000; i++) Assert.That(files.Find(NameKey.Of($"f{i}")), Is.EqualTo(new SourceStamp(i, i + 1)));
        for (var i = 10_000; i < 20_000; i++) Assert.That(files.Find(NameKey.Of($"f{i}")), Is.Null);
    }

    [Test]
    public void The_last_told_of_a_file_counts()
    {
        var files = new FinishedFiles();
        files.Add(NameKey.Of("f"), new SourceStamp(1, 1));
        files.Add(NameKey.Of("f"), new SourceStamp(2, 2));
        Assert.That((files.Count, files.Find(NameKey.Of("f"))), Is.EqualTo((1, new SourceStamp(2, 2))));
    }

    [Test]
    public void Those_that_belong_to_the_same_place_are_all_kept_also_at_its_end()
    {
        var files = new FinishedFiles();
        NameKey[] keys = [.. Enumerable.Range(0, 40).Select(i => new NameKey(ulong.MaxValue - (ulong)i, 0)), new NameKey(0, 7),
            new NameKey(1 << 20, 7)];
        for (var i = 0; i < keys.Length; i++) files.Add(keys[i], new SourceStamp(i, 1));
        Assert.That(keys.Select(key => files.Find(key)!.Value.Length), Is.EqualTo(Enumerable.Range(0, keys.Length)));
        files.Clear();
        Assert.That((files.Count, files.Find(keys[0])), Is.EqualTo((0, (SourceStamp?)null)));
    }
}
