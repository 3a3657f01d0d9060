using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Journal;

namespace Transfer.Tests.Engine.Journal;

/// <summary>When a journal is on the disk.</summary>
public sealed class JournalFlusherTests
{
    private readonly ManualTime _time = new();
    private TempFolder _folder = null!;

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [Test]
    public void By_itself_it_is_flushed_a_second_after_something_was_told()
    {
        using var journal = Open(new DirectoryOptions().JournalFlush);
        for (var i = 0; i < 3; i++)
        {
            Tell(journal);
            Assert.That(journal.IsFlushed, Is.False, "nobody waits for the disk");
            _time.Advance(TimeSpan.FromMilliseconds(900));
            Assert.That(journal.IsFlushed, Is.False);
            Tell(journal);
            _time.Advance(TimeSpan.FromMilliseconds(100));
            Assert.That(journal.IsFlushed);
            _time.Advance(TimeSpan.FromMinutes(1));
        }
    }

    [Test]
    public void Each_record_is_flushed_at_once_beside_whoever_tells_it()
    {
        using var journal = Open(JournalFlush.EachRecord);
        Tell(journal);
        Assert.That(journal.IsFlushed, Is.False, "not by its own thread");
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.That(journal.IsFlushed);
    }

    [TestCase(JournalFlush.EachSecond, ExpectedResult = true)]
    [TestCase(JournalFlush.EachRecord, ExpectedResult = true)]
    [TestCase(JournalFlush.Never, ExpectedResult = false)]
    public bool At_the_end_it_is_flushed_but_for_never(JournalFlush policy)
    {
        var journal = Open(policy);
        Tell(journal);
        if (policy == JournalFlush.Never) _time.Advance(TimeSpan.FromDays(1));
        journal.Dispose();
        return journal.IsFlushed;
    }

    [Test]
    public void One_that_is_over_is_neither_flushed_nor_deleted_twice()
    {
        var journal = Open(JournalFlush.EachSecond);
        Tell(journal);
        journal.Delete();
        File.WriteAllText(Name, "another run's");
        _time.Advance(TimeSpan.FromMinutes(1));
        journal.Dispose();
        Assert.That(File.ReadAllText(Name), Is.EqualTo("another run's"));
        Assert.That(journal.IsFlushed, Is.False);
    }

    [Test]
    public void The_options_of_every_job_say_it()
    {
        var settings = new JournalSettings(Name, JournalFlush.Never, Resume: true);
        Assert.That(new DirectoryOptions { Journal = Name, JournalFlush = JournalFlush.Never, Resume = true }.Journaling,
            Is.EqualTo(settings));
        Assert.That(new SyncOptions { Journal = Name, JournalFlush = JournalFlush.Never, Resume = true }.Journaling, Is.EqualTo(settings));
        Assert.That(new UploadOptions { Journal = Name, JournalFlush = JournalFlush.Never, Resume = true }.Journaling,
            Is.EqualTo(settings));
        Assert.That(new DownloadOptions { Journal = Name, JournalFlush = JournalFlush.Never, Resume = true }.Journaling,
            Is.EqualTo(settings));
        Assert.That(new SyncOptions { Journal = Name, DryRun = true }.Journaling, Is.Null);
        Assert.That((new SyncOptions().Journaling, new SyncOptions { Resume = true }.Journaling),
            Is.EqualTo(((JournalSettings?)null, new JournalSettings(null, JournalFlush.EachSecond, true))), "in the default place");
    }

    private string Name => Path.Join(_folder.Path, "job.journal");

    private static void Tell(JobJournal journal) => journal.NoteFinished(NameKey.Of("f"), new SourceStamp(1, 1));

    private JobJournal Open(JournalFlush policy) =>
        JobJournal.Open(Name, "job", new TemporaryNames(), resume: false, namesAll: false, NullLogger.Instance, policy, _time);
}
