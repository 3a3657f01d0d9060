namespace Transfer.Tests.Engine.Journal;

/// <summary>Jobs that are broken off and go on: what has arrived is not moved again, and nothing is taken for what it is not.</summary>
[Category(Categories.Slow)]
public sealed class ResumeTests
{
    private const int Length = (20 << 20) + 12_345;
    private const int Small = 40;

    private readonly byte[] _content = Samples.Bytes(Length);
    private TempFolder _folder = null!;

    private string Local => Path.Join(_folder.Path, "here");

    private string Journal => Path.Join(_folder.Path, "state", "job.journal");

    private DirectoryOptions Begin => new() { Journal = Journal };

    private DirectoryOptions Again => Begin with { Resume = true };

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [TestCase(1)]
    [TestCase(4)]
    public async Task A_large_upload_goes_on_where_it_was(int sessions)
    {
        var server = Server();
        Plant(large: true);
        await BreakOffAsync(server, client => client.UploadDirectoryAsync(Local, "/there", Begin), sessions);
        Assert.That(server.Store.Temporaries, Has.Count.EqualTo(1), "the beginning is kept");
        server.Ranges.Clear();

        await using var client = server.Client(sessions);
        var last = new Collected<TransferProgress>();
        var result = await client.UploadDirectoryAsync(Local, "/there", Again, last).Soon();

        Assert.That((result.Files, result.Failed, result.Bytes), Is.EqualTo((1L, 0L, (long)Length)));
        Assert.That(server.Store["/there/large"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(Moved(server), Is.LessThan(Length - (6 << 20)));
        Assert.That(last.Values[^1].Bytes, Is.EqualTo(Length), "what was there counts as done");
        Assert.That(server.Store.Temporaries, Is.Empty);
        Assert.That(File.Exists(Journal), Is.False, "there is nothing left to continue");
    }

    [TestCase(1)]
    [TestCase(4)]
    public async Task A_large_download_goes_on_where_it_was(int sessions)
    {
        var server = Server();
        server.Store.AddFile("/there/large", _content, Samples.Time);
        await BreakOffAsync(server, client => client.DownloadDirectoryAsync("/there", Local, Begin), sessions);
        Assert.That(Directory.GetFiles(Local), Has.Length.EqualTo(1), "the beginning is kept");
        server.Ranges.Clear();

        await using var client = server.Client(sessions);
        var result = await client.DownloadDirectoryAsync("/there", Local, Again).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(File.ReadAllBytes(Path.Join(Local, "large")).AsSpan().SequenceEqual(_content));
        Assert.That(Moved(server), Is.LessThan(Length - (6 << 20)));
        Assert.That(Directory.GetFiles(Local).Select(Path.GetFileName), Is.EqualTo(new[] { "large" }));
        Assert.That(File.Exists(Journal), Is.False);
    }

    [Test]
    public async Task The_result_has_the_offset_at_which_a_file_went_on([Values] bool upload, [Values(1, 4)] int sessions)
    {
        var server = Server();
        Plant(large: true);
        if (!upload) server.Store.AddFile("/large", _content, Samples.Time);
        await BreakOffAsync(server, client => MoveAsync(client, resume: false), sessions);

        server.Ranges.Clear();
        await using var client = server.Client(sessions);
        var result = await MoveAsync(client, resume: true).Soon();
        Assert.That(result.ResumedAt, Is.GreaterThan(4 << 20));
        Assert.That(result.Bytes, Is.EqualTo(Length), "what was there counts");
        Assert.That(server.Ranges.Select(range => range.Start), Does.Contain(result.ResumedAt));

        File.Delete(Path.Join(Local, "back"));
        var again = await client.DownloadFileAsync("/large", Path.Join(Local, "back")).Soon();
        Assert.That(again.ResumedAt, Is.Zero);

        Task<TransferResult> MoveAsync(TransferClient client, bool resume) => upload
            ? client.UploadFileAsync(Path.Join(Local, "large"), "/large", new() { Journal = Journal, Resume = resume })
            : client.DownloadFileAsync("/large", Path.Join(Local, "back"), new() { Journal = Journal, Resume = resume });
    }

    // Nothing of a part is noted before 4 MiB have come: with four short parts the whole file began again.
    [Test]
    public async Task Parts_of_an_upload_that_are_cut_off_before_their_first_note_go_on_as_well()
    {
        const int Parts = 4;
        const int Arrives = 3 << 20;
        const int Compared = 64 << 10; // of the end of each part, which is read back
        var server = new SegmentServer { Together = Parts };
        Plant(large: true);
        var options = new UploadOptions { Journal = Journal, Segments = Parts };
        var (cut, waiting) = (new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously), 0);
        server.BeforeChunk = async (item, offset) =>
        {
            if (offset - item.Offset < Arrives && !cut.Task.IsCompleted) return;
            if (Interlocked.Increment(ref waiting) == Parts) cut.TrySetResult();
            await cut.Task;
            throw new TransferConnectionException(TransferError.Lost, "scripted: no network");
        };
        await using (var client = server.Client(Parts))
        {
            await Assert.CatchAsync<TransferException>(() =>
                client.UploadFileAsync(Path.Join(Local, "large"), "/large", options).Soon());
        }
        server.BeforeChunk = (_, _) => Task.CompletedTask;
        server.Ranges.Clear();

        await using var again = server.Client(Parts);
        var result = await again.UploadFileAsync(Path.Join(Local, "large"), "/large", options with { Resume = true }).Soon();
        Assert.That(result.Bytes, Is.EqualTo(Length));
        Assert.That(Moved(server), Is.EqualTo(Length - (Parts * (Arrives - Compared))));
        Assert.That(server.Store["/large"]!.Content.AsSpan().SequenceEqual(_content));
    }

    [Test]
    public async Task What_is_in_a_temporary_folder_goes_on_there_and_only_what_is_left_of_the_same_job_is_deleted([Values] bool upload)
    {
        var server = new SegmentServer();
        var options = Begin with { TemporaryDirectory = "x/tmp" };
        if (upload) Plant(large: true);
        else server.Store.AddFile("/there/large", _content, Samples.Time);
        await BreakOffAsync(server, client => RunAsync(client, options), 2);
        var begun = Left().Single();
        string[] planted = [begun[..begun.LastIndexOf('-')] + "-77.part", ".transfer-0123456789abcdef-1.part"];
        foreach (var name in planted)
        {
            if (upload) server.Store.AddFile("/there/x/tmp/" + name, [1]);
            else File.WriteAllBytes(Path.Join(Local, "x", "tmp", name), [1]);
        }
        server.Ranges.Clear();

        await using var client = server.Client(2);
        var result = await RunAsync(client, options with { Resume = true }).Soon();

        Assert.That((result.Files, result.Failed, result.Bytes), Is.EqualTo((1L, 0L, (long)Length)));
        Assert.That(Moved(server), Is.LessThan(Length - (6 << 20)));
        Assert.That(Left(), Is.EqualTo(new[] { planted[1] }), "what another job has left may be one that runs");

        Task<JobResult> RunAsync(TransferClient client, DirectoryOptions how) =>
            upload ? client.UploadDirectoryAsync(Local, "/there", how) : client.DownloadDirectoryAsync("/there", Local, how);

        IReadOnlyList<string> Left() => upload
            ? [.. server.Store.Files.Where(file => file.StartsWith("/there/x/tmp/", StringComparison.Ordinal)).Select(RemotePath.GetName)]
            : [.. Directory.GetFiles(Path.Join(Local, "x", "tmp")).Select(file => Path.GetFileName(file))];
    }

    [Test]
    public async Task To_be_compared_by_a_hash_a_file_begins_anew([Values] bool upload, [Values] bool before)
    {
        var server = Server();
        var first = Begin with { Verify = before ? VerificationMode.Hash : VerificationMode.Size };
        if (upload) Plant(large: true);
        else server.Store.AddFile("/there/large", _content, Samples.Time);
        await BreakOffAsync(server, client => RunAsync(client, first), 2);

        await using var client = server.Client(2);
        var items = new Collected<ItemResult>();
        var again = Again with { Verify = VerificationMode.Hash };
        var job = upload
            ? client.StartUploadDirectory(Local, "/there", again, readItems: true) : client.StartDownloadDirectory("/there", Local, again,
                readItems: true);
        var result = await job.TellAsync(items).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(items.Values.Single().Result!.Verified, Is.EqualTo(VerificationMode.Hash));
        Assert.That(
            (upload ? server.Store["/there/large"]!.Content : File.ReadAllBytes(Path.Join(Local, "large"))).AsSpan()
            .SequenceEqual(_content));
        Assert.That(server.Store.Temporaries, Is.Empty);
        Assert.That(Directory.GetFiles(Local).Select(Path.GetFileName), Is.EqualTo(new[] { "large" }));

        Task<JobResult> RunAsync(TransferClient from, DirectoryOptions options) => upload
            ? from.UploadDirectoryAsync(Local, "/there", options)
            : from.DownloadDirectoryAsync("/there", Local, options);
    }

    [Test]
    public async Task One_file_goes_on_as_those_of_folders_do([Values(OverwriteMode.Fail, OverwriteMode.Always)] OverwriteMode overwrite)
    {
        var server = Server();
        Plant(large: true);
        var file = Path.Join(Local, "large");
        await BreakOffAsync(server,
            client => client.UploadFileAsync(file, "/large", new UploadOptions { Journal = Journal, Overwrite = overwrite }), 2);
        server.Ranges.Clear();
        await using var client = server.Client(2);
        await client.UploadFileAsync(file, "/large", new UploadOptions { Journal = Journal, Overwrite = overwrite, Resume = true }).Soon();
        Assert.That(server.Store["/large"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(Moved(server), Is.LessThan(Length - (6 << 20)));

        var back = Path.Join(_folder.Path, "back");
        await BreakOffAsync(server, client => client.DownloadFileAsync("/large", back, new DownloadOptions { Journal = Journal }), 2);
        server.Ranges.Clear();
        await client.DownloadFileAsync("/large", back, new DownloadOptions { Journal = Journal, Resume = true }).Soon();
        Assert.That(File.ReadAllBytes(back).AsSpan().SequenceEqual(_content));
        Assert.That(Moved(server), Is.LessThan(Length - (6 << 20)));
    }

    [Test]
    public async Task A_source_that_changed_starts_over()
    {
        var server = Server();
        Plant(large: true);
        await BreakOffAsync(server, client => client.UploadDirectoryAsync(Local, "/there", Begin), 2);
        var changed = Samples.Bytes(Length, seed: 9);
        File.WriteAllBytes(Path.Join(Local, "large"), changed);
        server.Ranges.Clear();

        await using var client = server.Client(2);
        await client.UploadDirectoryAsync(Local, "/there", Again).Soon();

        Assert.That(server.Store["/there/large"]!.Content.AsSpan().SequenceEqual(changed));
        Assert.That(Moved(server), Is.GreaterThanOrEqualTo(Length));
        Assert.That(server.Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task What_was_changed_at_the_end_of_a_range_is_not_believed()
    {
        var server = Server();
        server.Store.AddFile("/there/large", _content, Samples.Time);
        await BreakOffAsync(server, client => client.DownloadDirectoryAsync("/there", Local, Begin), 1);
        var partial = Directory.GetFiles(Local).Single();
        var bytes = File.ReadAllBytes(partial);
        bytes[^1] ^= 1;
        File.WriteAllBytes(partial, bytes);

        await using var client = server.Client(1);
        await client.DownloadDirectoryAsync("/there", Local, Again).Soon();

        Assert.That(File.ReadAllBytes(Path.Join(Local, "large")).AsSpan().SequenceEqual(_content));
        Assert.That(Directory.GetFiles(Local), Has.Length.EqualTo(1));
    }

    [TestCase(1)]
    [TestCase(4)]
    public async Task Two_versions_of_one_length_and_time_are_not_mixed(int sessions)
    {
        var server = Server();
        server.Store.AddFile("/there/large", _content, Samples.Time);
        await BreakOffAsync(server, client => client.DownloadDirectoryAsync("/there", Local, Begin), sessions);
        var replaced = Samples.Bytes(Length, seed: 9);
        server.Store.AddFile("/there/large", replaced, Samples.Time);

        await using var client = server.Client(sessions);
        await client.DownloadDirectoryAsync("/there", Local, Again).Soon();

        Assert.That(File.ReadAllBytes(Path.Join(Local, "large")).AsSpan().SequenceEqual(replaced));
        Assert.That(Directory.GetFiles(Local), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task What_was_about_to_be_put_there_is_known_by_its_content([Values] bool ours)
    {
        var server = Server();
        Plant(large: false);
        await BreakOffAsync(server, client => client.UploadDirectoryAsync(Local, "/there", Begin), 2, after: 15_000);
        var arrived = server.Store.Files.Where(file => !server.Store.Temporaries.Contains(file)).ToHashSet();
        foreach (var i in Missing(arrived)) server.Store.AddFile($"/there/{i}", Samples.Bytes(1000 + i, ours ? i : i + 500));

        await using var client = server.Client(2);
        var result = await client.UploadDirectoryAsync(Local, "/there", Again).Soon();

        foreach (var i in Missing(arrived))
            Same.Bytes(server.Store[$"/there/{i}"]!.Content, Samples.Bytes(1000 + i, ours ? i : i + 500));
        if (ours) Assert.That(result.Skipped, Is.GreaterThan(arrived.Count), "those that a session had begun with");
        else Assert.That((result.Skipped, result.Failed), Is.EqualTo(((long)arrived.Count, (long)Small - arrived.Count)));

        static IEnumerable<int> Missing(HashSet<string> arrived) => Enumerable.Range(0, Small).Where(i => !arrived.Contains($"/there/{i}"));
    }

    [Test]
    public async Task One_file_that_was_about_to_be_put_there_is_known_by_its_content([Values] bool ours, [Values] bool upload)
    {
        var server = Server();
        Plant(large: true);
        var (file, back) = (Path.Join(Local, "large"), Path.Join(_folder.Path, "back"));
        var there = ours ? _content : Samples.Bytes(Length, seed: 9);
        if (!upload) server.Store.AddFile("/large", _content, Samples.Time);
        await BreakOffAsync(server, client => RunAsync(client, resume: false), 2);
        if (upload) server.Store.AddFile("/large", there);
        else File.WriteAllBytes(back, there);

        await using var client = server.Client(2);
        if (ours) Assert.That((await RunAsync(client, resume: true).Soon()).Skipped, Is.True);
        else Assert.That((await RunAsync(client, resume: true).Failure<TransferException>()).Error, Is.EqualTo(TransferError.Exists));
        Assert.That((upload ? server.Store["/large"]!.Content : File.ReadAllBytes(back)).AsSpan().SequenceEqual(there));

        Task<TransferResult> RunAsync(TransferClient from, bool resume) => upload
            ? from.UploadFileAsync(file, "/large", new UploadOptions { Journal = Journal, Resume = resume })
            : from.DownloadFileAsync("/large", back, new DownloadOptions { Journal = Journal, Resume = resume });
    }

    [TestCase(OverwriteMode.Fail)]
    [TestCase(OverwriteMode.Always)]
    public async Task Files_that_have_arrived_are_not_sent_again(OverwriteMode overwrite)
    {
        var server = Server();
        Plant(large: false);
        var sent = 0;
        await BreakOffAsync(server,
            client =>
            client.StartUploadDirectory(Local, "/there", Begin with { Overwrite = overwrite }, readItems: true).TellAsync(
                new Count(() => sent++)), 2, after: 15_000);
        var arrived = server.Store.Files.Count(file => !server.Store.Temporaries.Contains(file));
        Assert.That(arrived, Is.InRange(1, Small - 1));

        await using var client = server.Client(2);
        var result = await client.UploadDirectoryAsync(Local, "/there", Again with { Overwrite = overwrite }).Soon();

        Assert.That((result.Files + result.Skipped, result.Failed), Is.EqualTo(((long)Small, 0L)));
        Assert.That(result.Skipped, Is.EqualTo(arrived));
        for (var i = 0; i < Small; i++) Same.Bytes(server.Store[$"/there/{i}"]!.Content, Samples.Bytes(1000 + i, i));
        Assert.That(server.Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task A_finished_file_whose_source_changed_is_sent_again_and_one_that_somebody_else_changed_is_left()
    {
        var server = Server();
        Plant(large: false);
        await BreakOffAsync(server, client => client.UploadDirectoryAsync(Local, "/there", Begin), 1, after: 15_000);
        var arrived = server.Store.Files.Where(file => !file.EndsWith(".part", StringComparison.Ordinal)).Take(2).ToArray();
        File.WriteAllBytes(Path.Join(Local, RemotePath.GetName(arrived[0])), [1, 2, 3]);
        server.Store.AddFile(arrived[1], [4, 5]);

        await using var client = server.Client(1);
        var result = await client.UploadDirectoryAsync(Local, "/there", Again).Soon();

        Assert.That(server.Store[arrived[0]]!.Content, Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(server.Store[arrived[1]]!.Content, Is.EqualTo(new byte[] { 4, 5 }));
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(File.Exists(Journal), "there is something left");
    }

    [Test]
    public async Task Unfinished_files_of_earlier_runs_go_and_those_of_other_jobs_stay()
    {
        var server = Server();
        Plant(large: false);
        await BreakOffAsync(server, client => client.UploadDirectoryAsync(Local, "/there", Begin), 1, after: 15_000);
        // As a run leaves it that was killed; its names are known by what the journal says of it.
        var run = RunOf(File.ReadAllBytes(Journal));
        server.Store.AddFile($"/there/.transfer-{run}-999.part", [1]);
        server.Store.AddFile("/there/.transfer-00000000ffffffff-1.part", [1]);

        await using var client = server.Client(1);
        await client.UploadDirectoryAsync(Local, "/there", Again).Soon();

        Assert.That(server.Store.Temporaries, Is.EqualTo(new[] { "/there/.transfer-00000000ffffffff-1.part" }));
    }

    [Test]
    public async Task Without_Resume_a_job_begins_anew_and_a_journal_is_one_jobs()
    {
        var server = Server();
        Plant(large: false);
        await BreakOffAsync(server, client => client.UploadDirectoryAsync(Local, "/there", Begin), 1, after: 15_000);
        await using var client = server.Client(1);
        var other = (await Assert.CatchAsync<TransferException>(() => client.UploadDirectoryAsync(Local, "/elsewhere", Again)))!;
        Assert.That(other.Message, Does.Contain("another job").And.Contain("/there"));

        var result = await client.UploadDirectoryAsync(Local, "/there", Begin with { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((result.Files, result.Skipped), Is.EqualTo(((long)Small, 0L)));
    }

    [Test]
    public async Task With_a_journal_cut_off_anywhere_or_spoilt_the_job_comes_to_its_end([Values] bool garbage)
    {
        Plant(large: false);
        for (var part = 0; part <= 10; part++)
        {
            var server = Server();
            await BreakOffAsync(server, client => client.UploadDirectoryAsync(Local, "/there", Begin), 2, after: 15_000);
            var journal = File.ReadAllBytes(Journal);
            var at = Math.Min(journal.Length - 1, (journal.Length * part / 10) + part);
            // What is no journal at all is refused: see JournalFileTests.
            if (garbage) new Random(part).NextBytes(journal.AsSpan(Math.Max(at, 19)));
            File.WriteAllBytes(Journal, garbage ? journal : journal[..at]);

            await using var client = server.Client(2);
            var result = await client.UploadDirectoryAsync(Local, "/there", Again with { Overwrite = OverwriteMode.Always }).Soon();
            Assert.That((result.Files + result.Skipped, result.Failed), Is.EqualTo(((long)Small, 0L)), $"{part}");
            for (var i = 0; i < Small; i++)
                Assert.That(server.Store[$"/there/{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(1000 + i, i)), $"{part}");
            Assert.That(File.Exists(Journal), Is.False);
        }
    }

    // Lost sessions' files are looked for a second time, half a second later.
    private static SegmentServer Server() => new() { Time = new SwiftTime() };

    private static long Moved(SegmentServer server)
    {
        lock (server.Ranges) return server.Ranges.Sum(range => range.End - range.Start);
    }

    private static string RunOf(byte[] journal)
    {
        var text = System.Text.Encoding.Unicode.GetString(journal, journal.Length % 2, journal.Length & ~1)
            + System.Text.Encoding.Unicode.GetString(journal, 1, (journal.Length - 1) & ~1);
        return System.Text.RegularExpressions.Regex.Match(text, "[0-9a-f]{16}").Value;
    }

    private void Plant(bool large)
    {
        Directory.CreateDirectory(Local);
        if (large) File.WriteAllBytes(Path.Join(Local, "large"), _content);
        else for (var i = 0; i < Small; i++) File.WriteAllBytes(Path.Join(Local, $"{i}"), Samples.Bytes(1000 + i, i));
    }

    // As when the network goes: from some byte on nothing moves any more, on any session.
    internal static async Task BreakOffAsync(SegmentServer server, Func<TransferClient, Task> run, int sessions, int after = 18 << 20)
    {
        var moved = 0L;
        server.BeforeChunk = (item, _) =>
        {
            // Twice for each small file, before its only chunk and after it.
            var count = after < 1 << 20 ? item.Content.Length!.Value / 2 : 64 << 10;
            if (Interlocked.Add(ref moved, count) > after)
                throw new TransferConnectionException(TransferError.Lost, "scripted: no network");
            return Task.CompletedTask;
        };
        await using (var client = server.Client(sessions))
        {
            try
            {
                await run(client).Soon();
            }
            catch (TransferException)
            {
                // A job of one file fails as that does.
            }
        }
        server.BeforeChunk = (_, _) => Task.CompletedTask;
    }

    private sealed class Count(Action counted) : IProgress<ItemResult>
    {
        public void Report(ItemResult value)
        {
            if (value.Error is null) counted();
        }
    }
}
