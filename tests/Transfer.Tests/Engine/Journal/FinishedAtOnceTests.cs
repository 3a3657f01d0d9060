using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Journal;

namespace Transfer.Tests.Engine.Journal;

/// <summary>Many files that a journal is told of at once.</summary>
public sealed class FinishedAtOnceTests
{
    private TempFolder _folder = null!;

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [Test]
    public void They_are_written_as_one_by_one()
    {
        var names = new TemporaryNames();
        using (var journal = Open("one", names))
        {
            foreach (var (name, stamp) in Files(2500)) journal.NoteFinished(name, stamp);
        }
        using (var journal = Open("all", names)) journal.NoteFinished(Files(2500));
        Same.Bytes(_folder.Read("all"), _folder.Read("one"));
    }

    [Test]
    public void Cut_off_anywhere_the_first_ones_are_known()
    {
        using (var journal = Open("journal", new TemporaryNames())) journal.NoteFinished([]);
        var before = _folder.Read("journal").Length;
        using (var journal = Open("journal", new TemporaryNames(), resume: false)) journal.NoteFinished(Files(5));
        var whole = _folder.Read("journal");
        var most = 0;
        for (var length = whole.Length; length > before; length--)
        {
            _folder.Add("journal", whole[..length]);
            using var journal = Open("journal", new TemporaryNames(), resume: true);
            var known = Enumerable.Range(0, 5).Where(i => journal.FinishedAs($"f{i}") is not null).ToArray();
            Assert.That(known, Is.EqualTo(Enumerable.Range(0, known.Length)), $"cut at {length}");
            most = Math.Max(most, known.Length);
        }
        Assert.That(most, Is.EqualTo(5));
    }

    [Test]
    public void Of_what_nobody_could_know_again_nothing_is_told()
    {
        using var journal = Open("journal", new TemporaryNames());
        journal.NoteFinished([]);
        journal.NoteFinished([(NameKey.Of("f"), default)]);
        Assert.That(journal.IsEmpty);
    }

    private static IEnumerable<(NameKey, SourceStamp)> Files(int count) =>
        Enumerable.Range(0, count).Select(i => (NameKey.Of($"f{i}"), new SourceStamp(i, 1 + i)));

    private JobJournal Open(string name, TemporaryNames names, bool resume = false) =>
        JobJournal.Open(_folder[name], "job", names, resume, namesAll: false, NullLogger.Instance, JournalFlush.Never);
}
