using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Journal;

namespace Transfer.Tests.Engine.Journal;

/// <summary>What a run leaves that is killed goes with the next run of its job, and nobody else's.</summary>
[Category(Categories.Slow)]
public sealed class LeftoverTests
{
    private const string Foreign = ".transfer-00000000ffffffff-1.part";
    private const int Large = (20 << 20) + 12_345;

    private TempFolder _folder = null!;

    private string Local => Path.Join(_folder.Path, "here");

    private string Journal => Path.Join(_folder.Path, "state", "job.journal");

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [Test]
    public async Task A_folder_job_that_begins_again_deletes_what_was_left_and_nothing_of_others(
        [Values("put", "get", "sync up", "sync down")] string job, [Values] bool resume, [Values] bool large)
    {
        var server = new SegmentServer();
        var up = job is "put" or "sync up";
        Plant(server, up, large ? Large : 1000);
        await ResumeTests.BreakOffAsync(server, client => RunAsync(client, resume: false), 1, after: large ? 9 << 20 : 500);
        foreach (var path in Killed()) Leave(server, up, path);
        Leave(server, up, Foreign);
        server.Ranges.Clear();

        await using var client = server.Client(1);
        var result = await RunAsync(client, resume).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(Temporaries(server, up), Is.EqualTo(new[] { Foreign }));
        Assert.That(File.Exists(Journal), Is.False);
        if (resume && large) Assert.That(server.Ranges.Sum(range => range.End - range.Start), Is.LessThan(Large - (4 << 20)), "it went on");

        Task<JobResult> RunAsync(TransferClient with, bool resume) => job switch
        {
            "put" => with.UploadDirectoryAsync(Local, "/there", new DirectoryOptions { Journal = Journal, Resume = resume }),
            "get" => with.DownloadDirectoryAsync("/there", Local, new DirectoryOptions { Journal = Journal, Resume = resume }),
            _ => with.SynchronizeAsync(Local, "/there", up ? SyncDirection.Up : SyncDirection.Down,
                new SyncOptions { Journal = Journal, Resume = resume }),
        };
    }

    [Test]
    public async Task So_does_a_job_of_one_file([Values("put", "get", "copy")] string job, [Values] bool resume)
    {
        var server = new SegmentServer();
        var up = job != "get";
        Plant(server, job == "put", 1000);
        await ResumeTests.BreakOffAsync(server, client => RunAsync(client, resume: false), 2, after: job == "copy" ? 0 : 500);
        var left = Killed().Where(path => path.Contains(job == "get" ? "here" : "there", StringComparison.Ordinal)).ToList();
        Assert.That(left, Is.Not.Empty, "every one is known by its path");
        foreach (var path in left) Leave(server, up, path);
        Leave(server, up, Foreign);

        await using var client = server.Client(2);
        await RunAsync(client, resume).Soon();

        Assert.That(Temporaries(server, up), Is.EqualTo(new[] { Foreign }));
        Assert.That(File.Exists(Journal), Is.False);

        Task<TransferResult> RunAsync(TransferClient with, bool resume) => job switch
        {
            "put" => with.UploadFileAsync(Path.Join(Local, "f"), "/there/f", new UploadOptions { Journal = Journal, Resume = resume }),
            "get" => with.DownloadFileAsync("/there/f", Path.Join(Local, "f"), new DownloadOptions { Journal = Journal, Resume = resume }),
            _ => with.CopyFileAsync("/there/f", with, "/there/g", new UploadOptions { Journal = Journal, Resume = resume }),
        };
    }

    [Test]
    public async Task What_can_not_be_deleted_is_told_to_the_log_and_the_job_is_done()
    {
        var store = new MemoryStore();
        var names = new TemporaryNames();
        using (var killed = Open(names, resume: false)) killed.NotePartial("f", new SourceStamp(1000, 1), $"/there/{names.Next()}");
        Plant(new SegmentServer(), up: true, 1000);
        store.AddFile($"/there/{names.Next()}", [1]);
        for (var nth = 1; nth <= 2; nth++)
            store.Faults.On("delete", new Fault { Refuse = new TransferException(TransferError.Denied, "no") }, nth);

        await using var client = new MemoryTransferClient(store);
        var result = await client.UploadDirectoryAsync(Local, "/there", new DirectoryOptions { Journal = Journal }).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(store.Temporaries, Has.Count.EqualTo(1));
    }

    [Test]
    public void What_earlier_runs_left_stays_known_until_it_is_gone()
    {
        var (one, two, three) = (new TemporaryNames(), new TemporaryNames(), new TemporaryNames());
        var (first, again) = ($"/there/{one.Next()}", $"/there/{one.Next()}");
        using (var killed = Open(one, resume: false))
        {
            Assert.That(killed.KnowsEarlierRuns, Is.False);
            killed.NotePartial("f", new SourceStamp(8 << 20, 1), first);
            killed.NotePartial("f", new SourceStamp(8 << 20, 1), again);
        }
        using (var killed = Open(two, resume: true))
            Assert.That(killed.Leftovers, Is.EqualTo(new[] { first }), "the other one is continued");
        using (var killed = Open(three, resume: false)) Assert.That(killed.Leftovers, Is.EquivalentTo(new[] { first, again }));
        using (var resumed = Open(new TemporaryNames(), resume: true))
        {
            Assert.That(resumed.Leftovers, Is.EquivalentTo(new[] { first, again }));
            Assert.That(resumed.TakePartial("f"), Is.Null, "a run began anew in between");
            foreach (var names in (TemporaryNames[])[one, two, three]) Assert.That(resumed.IsLeftover(names.Next()));
        }
        using (var journal = Open(new TemporaryNames(), resume: false)) journal.Forget([first]);
        using (var journal = Open(new TemporaryNames(), resume: false))
        {
            Assert.That(journal.Leftovers, Is.EqualTo(new[] { again }));
            Assert.That(journal.IsLeftover(one.Next()));
            Assert.That(journal.IsLeftover(Foreign), Is.False);
        }
    }

    [Test]
    public void A_path_that_is_not_one_of_an_earlier_run_is_not_deleted()
    {
        var names = new TemporaryNames();
        using (var journal = Open(names, resume: false))
        {
            journal.NotePartial("f", new SourceStamp(1, 1), "/there/precious");
            journal.NotePartial("g", new SourceStamp(1, 1), $"/there/{Foreign}");
        }
        using var next = Open(new TemporaryNames(), resume: false);
        Assert.That(next.Leftovers, Is.Empty);
    }

    private JobJournal Open(TemporaryNames names, bool resume) =>
        JobJournal.Open(Journal, $"upload_directory {Local} to memory://host/there", names, resume, namesAll: true, NullLogger.Instance);

    private void Plant(SegmentServer server, bool up, int length)
    {
        Directory.CreateDirectory(Local);
        if (up) File.WriteAllBytes(Path.Join(Local, "f"), Samples.Bytes(length));
        else server.Store.AddFile("/there/f", Samples.Bytes(length), Samples.Time);
    }

    // A run that is killed deletes nothing: of each run that the journal knows one more file, and what it tells of by its path.
    private List<string> Killed()
    {
        var left = new List<string>();
        using (JournalFile.Open(Journal, Read))
        {
            return left;
        }

        bool Read(ReadOnlyMemory<byte> bytes)
        {
            if (JournalRecord.Parse(bytes) is JournalRecord.RunBegan run) left.Add($".transfer-{run.Names}-999.part");
            if (JournalRecord.Parse(bytes) is JournalRecord.FileBegan began) left.Add(began.Temporary);
            return true;
        }
    }

    private void Leave(SegmentServer server, bool up, string path)
    {
        if (up && server.Store[Full()] is null) server.Store.AddFile(Full(), [1]);
        else if (!up && !File.Exists(Path.Join(Local, Path.GetFileName(path))))
            File.WriteAllBytes(Path.Join(Local, Path.GetFileName(path)), [1]);

        string Full() => path.StartsWith('/') ? path : $"/there/{path}";
    }

    private IEnumerable<string> Temporaries(SegmentServer server, bool up) =>
        (up ? server.Store.Temporaries : Directory.GetFiles(Local, "*.part")).Select(path => Path.GetFileName(path)!);
}
