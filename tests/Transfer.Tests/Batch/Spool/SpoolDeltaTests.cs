using System.Collections.Concurrent;
using Transfer.Batch;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Batch.Spool;

/// <summary>
/// What has changed since all recipients had it travels as changes, and whoever does not have it any more is told so and gets it whole
/// next.
/// </summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class SpoolDeltaTests : IDisposable
{
    private const int Files = 12;
    private const int Length = 200_000;

    private static readonly string[] Both = ["ann", "ben"];

    private readonly SpoolHarness _spool = new() { Deltas = true };
    private readonly ConcurrentQueue<string> _warnings = [];
    private int _version;

    public SpoolDeltaTests()
    {
        for (var i = 0; i < Files; i++) Write($"d/f{i}", Samples.Bytes(Length, i));
        Write("small", Samples.Bytes(5000, 77));
        Write("large", Samples.Bytes(9_000_000, 78));
    }

    public void Dispose() => _spool.Dispose();

    [Test]
    public async Task Of_the_second_job_only_what_has_changed_is_in_the_store_and_both_get_it([Values] bool isShared)
    {
        using var spool = isShared ? new SpoolHarness(isShared: true) { Deltas = true } : null;
        var used = spool ?? _spool;
        if (spool is not null) SpoolHarness.CopyFolder(_spool.From, spool.From);
        await SendAsync(used);
        var first = BytesIn(used.Job);
        foreach (var name in Both) await FetchAsync(name, used);
        Assert.That(TempFolder.FilesIn(used.Job), Has.None.EndsWith(".tfa").And.Some.EqualTo("head").And.Some.EqualTo("end"),
            "what is left is for the sender");

        foreach (var name in Directory.EnumerateFiles(used.From, "*", SearchOption.AllDirectories).Select(path =>
            Path.GetRelativePath(used.From, path)).Where(name => name != "small"))
        {
            Change(name, used);
        }

        await SendAsync(used);
        Assert.That(BytesIn(used.Job), Is.LessThan(first / 20), "and the first job is gone");
        foreach (var name in Both)
        {
            await FetchAsync(name, used);
            used.AssertSame(name);
            Assert.That((await used.FetchAsync(name)).Failed, Is.Zero, "once is enough");
        }
    }

    [Test]
    public async Task Over_FTP_it_is_the_same()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(_spool.Root)) });
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });
        long first = 0;
        for (var i = 0; i < 3; i++)
        {
            await _spool.SendAsync(client, Both);
            if (i == 0) first = BytesIn(_spool.Job);
            else Assert.That(BytesIn(_spool.Job), Is.LessThan(first / 20));
            foreach (var name in Both)
            {
                Assert.That((await _spool.FetchAsync(client, name, Replacing)).Failed, Is.Zero);
                _spool.AssertSame(name);
            }
            Change("d/f1");
            Change("large");
        }
    }

    [Test]
    public async Task What_is_as_it_was_is_not_written_anew()
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        Change("d/f0");
        await SendAsync();
        var before = File.GetCreationTimeUtc(Path.Combine(_spool.To("ann"), "d/f1"));
        using var open = File.OpenRead(Path.Combine(_spool.To("ann"), "d/f1"));
        var result = await FetchAsync("ann");
        Assert.That(result.Files, Is.EqualTo(Files + 2), "it counts as received");
        _spool.AssertSame("ann");
        Assert.That(File.GetCreationTimeUtc(Path.Combine(_spool.To("ann"), "d/f1")), Is.EqualTo(before));
    }

    [TestCase("changed")]
    [TestCase("changed elsewhere")]
    [TestCase("lost")]
    public async Task Who_has_another_base_keeps_it_is_told_so_and_gets_the_file_whole_by_the_next_job(string how)
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        var bens = Path.Combine(_spool.To("ben"), "d/f3");
        var own = File.ReadAllBytes(bens);
        // Also where the change is in what the delta does not even use.
        own[how == "changed" ? ^1 : 100] ^= 1;
        if (how == "lost") File.Delete(bens);
        else File.WriteAllBytes(bens, own);
        Change("d/f3", at: 100);
        Change("d/f4");
        await SendAsync();
        Assert.That((await FetchAsync("ann")).Failed, Is.Zero);
        _spool.AssertSame("ann");

        var result = await _spool.FetchAsync("ben", Replacing);
        var failure = result.Failures.Single();
        Assert.That((failure.Path, failure.Error!.Error, result.Files), Is.EqualTo(("d/f3", TransferError.Integrity, (long)Files + 1)));
        Assert.That(failure.Error.Message, Does.Contain("d/f3").And.Contain("is not the version").And.Contain("next job"));
        Assert.That(File.Exists(bens) ? File.ReadAllBytes(bens) : null, Is.EqualTo(how == "lost" ? null : own), "what he has stays");
        Assert.That(Directory.GetFiles(_spool.To("ben"), "*.part", SearchOption.AllDirectories), Is.Empty);
        Assert.That((await _spool.FetchAsync("ben")).Failed, Is.Zero, "the job is over, and is not tried for ever");
        Assert.That(_spool.Archives, Is.Empty);

        await SendAsync();
        Assert.That(_warnings.Single(), Does.Contain("ben").And.Contain("d/f3").And.Not.Contain("d/f4").And.Not.Contain("ann"));
        Assert.That(BytesIn(_spool.Job), Is.InRange(Length, 2 * Length), "this one whole, and the others not");
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
        Change("d/f3");
        await SendAsync();
        Assert.That(BytesIn(_spool.Job), Is.LessThan(Length / 2), "all have it again");
        await FetchAsync("ben");
        _spool.AssertSame("ben");
    }

    [Test]
    public async Task What_one_recipient_has_not_confirmed_is_no_base()
    {
        await SendAsync();
        var first = BytesIn(_spool.Job);
        await FetchAsync("ann");
        Change("d/f1");
        await SendAsync();
        Assert.That(BytesIn(_spool.Jobs.MaxBy(BytesIn)!), Is.InRange(first / 2, first * 2));
        Assert.That(_spool.Jobs.Count(job => BytesIn(job) > first / 2), Is.EqualTo(2), "all of it once more");
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
    }

    [Test]
    public async Task What_a_job_has_changed_that_not_all_have_yet_travels_whole_and_the_rest_does_not()
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        Change("d/f1");
        await SendAsync();
        var second = _spool.Job;
        await FetchAsync("ann");
        Change("d/f1");
        Change("d/f2");
        await SendAsync();
        var third = _spool.Jobs.Single(job => job != second);
        // Of f1 ann has the second version by then and ben the first one, and each will have had the second when the third comes.
        Assert.That(BytesIn(third), Is.InRange(Length, 2 * Length));
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
    }

    [Test]
    public async Task What_others_have_got_meanwhile_is_no_base_either()
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        Change("d/f1");
        await _spool.SendAsync(["ann"], Telling);
        await FetchAsync("ann");
        Change("d/f1");
        await SendAsync();
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
    }

    [Test]
    public async Task Another_set_of_recipients_gets_it_whole()
    {
        await SendAsync();
        var first = BytesIn(_spool.Job);
        await FetchAsync("ann");
        await FetchAsync("ben");
        Change("d/f1");
        await _spool.SendAsync(["ann", "ben", "cleo"], Telling);
        Assert.That(BytesIn(_spool.Jobs.MaxBy(BytesIn)!), Is.GreaterThan(first * 9 / 10));
        foreach (var name in (string[])["ann", "ben", "cleo"])
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
        // The order in which they are named is no matter.
        Change("d/f1");
        await _spool.SendAsync(["cleo", "ann", "ben"], Telling);
        Assert.That(BytesIn(_spool.Job), Is.LessThan(first / 20));
    }

    [TestCase("empty")]
    [TestCase("cut off")]
    [TestCase("garbage")]
    [TestCase("flipped")]
    [TestCase("another job's")]
    [TestCase("gone")]
    public async Task What_the_sender_remembers_may_be_damaged_and_everything_comes_all_the_same(string how)
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        Change("d/f1");
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        var remembered = Remembered().ToArray();
        Assert.That(remembered, Has.Length.EqualTo(2));
        var random = new Random(5);
        foreach (var path in remembered)
        {
            var bytes = File.ReadAllBytes(path);
            if (how == "empty") bytes = [];
            else if (how == "cut off") bytes = bytes[..(bytes.Length / 3)];
            else if (how == "garbage") random.NextBytes(bytes);
            else if (how == "another job's") bytes = File.ReadAllBytes(remembered.Single(other => other != path));
            else for (var i = 0; i < 40; i++) bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            if (how == "gone") File.Delete(path);
            else File.WriteAllBytes(path, bytes);
        }
        Change("d/f1");
        Change("large");
        await SendAsync();
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
        // And it gets over it.
        Change("d/f2");
        await SendAsync();
        Assert.That(BytesIn(_spool.Job), Is.LessThan(Length));
    }

    [Test]
    public async Task A_sender_that_is_killed_when_it_has_remembered_a_confirmed_job_deletes_it_next_time()
    {
        await SendAsync();
        var first = _spool.Job;
        await FetchAsync("ann");
        await FetchAsync("ben");
        Change("d/f1");
        await using (var client = new WatchedClient(_spool.Root)
        { OnDelete = (path, _) => throw new TransferException(TransferError.Denied, "no") })
        {
            await _spool.SendAsync(client, Both, Telling);
        }

        Assert.That(_spool.Jobs, Has.Length.EqualTo(2));
        var second = _spool.Jobs.Single(job => job != first);
        Assert.That(BytesIn(second), Is.LessThan(Length));
        await FetchAsync("ann");
        await FetchAsync("ben");
        _spool.AssertSame("ben");
        Change("d/f1");
        await SendAsync();
        Assert.That(_spool.Jobs, Has.Length.EqualTo(1));
        Assert.That(BytesIn(_spool.Job), Is.LessThan(Length));
    }

    [Test]
    public async Task A_sender_that_was_killed_before_its_job_was_whole_builds_on_nothing_that_it_may_have_changed()
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        for (var i = 0; i < Files; i++) Change($"d/f{i}");
        using var stop = new CancellationTokenSource();
        var stored = 0;
        await Assert.CatchAsync<OperationCanceledException>(
            () => _spool.SendAsync(Both, options => options with { Sessions = 1 }, ct: stop.Token, items: _ =>
        {
            if (Interlocked.Increment(ref stored) == 5) stop.Cancel();
        }));
        // Somebody has had what was there of it.
        await _spool.FetchAsync("ann", Replacing);
        for (var i = 0; i < Files; i++) Change($"d/f{i}");
        await SendAsync();
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
        Change("d/f1");
        await SendAsync();
        // The run that was killed may have been deleting the first job just then: what it left is gone too.
        Assert.That(BytesIn(_spool.Job), Is.LessThan(Length));
    }

    [Test]
    public async Task A_job_that_was_continued_is_remembered_with_what_it_continued()
    {
        using var stop = new CancellationTokenSource();
        for (var i = 0; i < 40; i++) Write($"more/f{i}", Samples.Bytes(300_000, 100 + i));
        await Assert.CatchAsync<OperationCanceledException>(
            () => _spool.SendAsync(Both, options => options with { Sessions = 1 }, ct: stop.Token, items: item =>
        {
            if (item.Path == "more/f15") stop.Cancel();
        }));
        await _spool.SendAsync(Both, options => options with { Resume = true });
        var stored = _spool.Jobs.Sum(BytesIn);
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
        Change("d/f1");
        Change("more/f39");
        await SendAsync();
        Assert.That(BytesIn(_spool.Job), Is.LessThan(stored / 5),
            "the last archive's files were not read once more when it was broken off");
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
    }

    [Test]
    public async Task Without_deltas_everything_travels_whole_and_what_was_remembered_is_forgotten()
    {
        await SendAsync();
        var first = BytesIn(_spool.Job);
        await FetchAsync("ann");
        await FetchAsync("ben");
        for (var i = 0; i < 2; i++)
        {
            Change("d/f1");
            await _spool.SendAsync(Both, options => options with { Deltas = i > 0 });
            Assert.That(BytesIn(_spool.Job), Is.GreaterThan(first * 9 / 10));
            await FetchAsync("ann");
            await FetchAsync("ben");
            _spool.AssertSame("ben");
            if (i == 0)
            {
                Assert.That((Remembered(), _spool.Jobs), Is.EqualTo((Array.Empty<string>(), Array.Empty<string>())),
                    "nothing is left of it");
            }
        }
        Change("d/f1");
        await SendAsync();
        Assert.That(BytesIn(_spool.Job), Is.LessThan(first / 20));
    }

    [Test]
    public async Task What_was_left_because_it_is_newer_is_sent_whole_next_and_what_is_the_same_is_not()
    {
        await SendAsync();
        var first = BytesIn(_spool.Job);
        await FetchAsync("ann");
        await FetchAsync("ben");
        var anns = Path.Combine(_spool.To("ann"), "d/f1");
        File.WriteAllBytes(anns, Samples.Bytes(Length, 500));
        File.SetLastWriteTimeUtc(anns, DateTime.UtcNow);
        Change("d/f1");
        Change("d/f2");
        await SendAsync();
        var result = await _spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Newer });
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((1L, (long)Files + 1, 0L)));
        await FetchAsync("ben");
        Change("d/f1");
        File.SetLastWriteTimeUtc(Path.Combine(_spool.From, "d/f1"), DateTime.UtcNow.AddDays(1));
        await SendAsync();
        Assert.That(_warnings.Single(), Does.Contain("ann").And.Contain("d/f1"));
        Assert.That(BytesIn(_spool.Job), Is.InRange(Length, first / 5));
        Assert.That((await _spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Newer })).Failed, Is.Zero);
        _spool.AssertSame("ann");
    }

    [TestCase("all files")]
    [TestCase("more than can be told")]
    [TestCase("what is none of the job's")]
    public async Task Whoever_lies_about_what_he_lacks_gets_it_whole_and_that_is_all(string how)
    {
        await SendAsync();
        var first = BytesIn(_spool.Job);
        await FetchAsync("ann");
        var record = await ConfirmAsync("ben", confirmation => how switch
        {
            "all files" => confirmation with { MissingFiles = TempFolder.FilesIn(_spool.From) },
            "more than can be told" => confirmation with { HasMoreMissing = true },
            _ => confirmation with { MissingFiles = ["\u001b[31m", "../../etc/passwd", "d"] },
        });
        Assert.That(record, Is.Not.Empty);
        Change("d/f1");
        await SendAsync();
        var whole = how != "what is none of the job's";
        Assert.That(BytesIn(_spool.Jobs.MaxBy(BytesIn)!), whole ? Is.GreaterThan(first * 9 / 10) : Is.LessThan(Length));
        Assert.That(_spool.Jobs, Has.Length.EqualTo(1), "it is confirmed all the same");
        Assert.That(_warnings.Count(text => text.Contains('\u001b') || text.Contains("passwd", StringComparison.Ordinal)), Is.Zero);
        await FetchAsync("ann");
        _spool.AssertSame("ann");
    }

    [Test]
    public async Task Who_has_forgotten_what_he_had_is_not_kept_waiting_by_what_is_left_of_it()
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        Directory.Delete(_spool.State("ann"), recursive: true);
        var result = await _spool.FetchAsync("ann");
        Assert.That((result.Files, result.Failed), Is.EqualTo((0L, 0L)));
        // Nor is it taken for one that he has begun, when a later one has come before its sender has deleted it.
        Change("d/f1");
        await using (var client = new WatchedClient(_spool.Root)
        { OnDelete = (_, _) => throw new TransferException(TransferError.Denied, "no") })
        {
            await _spool.SendAsync(client, Both);
        }

        for (var i = 0; i < 2; i++) await FetchAsync("ann");
        Assert.That(_spool.Jobs, Has.Length.EqualTo(2));
        _spool.AssertSame("ann");
    }

    [Test]
    public async Task What_another_machine_with_the_same_key_waits_for_is_left_to_it()
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        var first = _spool.Job;
        await _spool.SendAsync(["cleo"], options => options with { StateFolder = _spool.State("other") });
        Assert.That(_spool.Jobs, Has.Length.EqualTo(2).And.Some.EqualTo(first));
        Change("d/f1");
        await SendAsync();
        Assert.That(Directory.Exists(first), Is.False);
        Assert.That(_spool.Jobs.Min(BytesIn), Is.LessThan(Length));
        // Not for ever, though.
        await FetchAsync("ann");
        await FetchAsync("ben");
        var second = _spool.Jobs.MinBy(BytesIn)!;
        foreach (var file in Directory.GetFiles(second)) File.SetLastWriteTimeUtc(file, DateTime.UtcNow.AddDays(-8));
        await _spool.SendAsync(["cleo"], options => options with { StateFolder = _spool.State("other") });
        Assert.That(Directory.Exists(second), Is.False);
    }

    [Test]
    public async Task A_file_that_was_small_in_between_is_not_built_on_what_it_was_before()
    {
        await SendAsync();
        await FetchAsync("ann");
        await FetchAsync("ben");
        Write("d/f1", Samples.Bytes(100, 3));
        await SendAsync();
        await FetchAsync("ann");
        Write("d/f1", Samples.Bytes(Length, 1));
        Change("d/f1");
        await SendAsync();
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
    }

    [TestCase("another folder")]
    [TestCase("another name of the spool")]
    [TestCase("a clock that was put back")]
    public async Task What_has_come_under_another_name_of_folder_or_spool_is_in_the_way_too(string how)
    {
        await SendAsync();
        foreach (var name in Both) await FetchAsync(name);
        Change("d/f1");
        var from = _spool.From;
        if (how == "another folder")
        {
            from = _spool.To("nobody");
            foreach (var folder in (string[])["", "d"])
                SpoolHarness.CopyFolder(Path.Combine(_spool.From, folder), Path.Combine(from, folder));
        }
        var (root, path) = how == "another folder"
            ? (_spool.Root, "spool") : (Path.GetDirectoryName(_spool.Root)!, Path.GetFileName(_spool.Root) + "/spool");
        var time = how.StartsWith("a clock", StringComparison.Ordinal) ? new ShiftedTime(TimeSpan.FromDays(-2)) : TimeProvider.System;
        await using (var client = new LocalTransferClient(new Uri(root)))
        {
            await new SpoolSender(client, path, _spool.SenderKey, _spool.SenderOptions with { TimeProvider = time }).SendAsync(from,
                _spool.Recipients(Both)).WaitAsync(SpoolHarness.Patience);
        }
        // One has that by now, and the other one not yet.
        await FetchAsync("ann");
        Change("d/f1");
        await SendAsync();
        foreach (var name in Both) await FetchAsync(name);
        _spool.AssertSame("ann");
    }

    [Test]
    public async Task What_somebody_lacks_that_cannot_be_read_is_not_taken_for_nothing()
    {
        await SendAsync();
        var first = (Path: _spool.Job, Bytes: BytesIn(_spool.Job));
        foreach (var name in Both) await FetchAsync(name);
        var reads = new ConcurrentDictionary<string, int>();
        await using (var client = new WatchedClient(_spool.Root)
        {
            // They are there when it is found out whether all have confirmed, and then not.
            OnRead = path =>
                SpoolNames.ConfirmationOf(Path.GetFileName(path)) is null || reads.AddOrUpdate(path, 1, (_, count) => count + 1) % 2 == 1
                ? Task.CompletedTask
                : Task.FromException(new TransferException(TransferError.NotFound, "no")),
        })
        {
            await _spool.SendAsync(client, Both, Telling);
        }
        Assert.That(reads.Values, Is.Not.Empty.And.All.GreaterThan(1));
        Assert.That(Remembered(), Has.None.EndsWith(".bases"));
        Assert.That(_spool.Jobs, Has.Length.EqualTo(2).And.Some.EqualTo(first.Path));
        Assert.That(BytesIn(_spool.Jobs.Single(job => job != first.Path)), Is.GreaterThan(first.Bytes * 9 / 10));
        await SendAsync();
        Assert.That(Directory.Exists(first.Path), Is.False);
        Assert.That(_spool.Jobs.Min(BytesIn), Is.LessThan(Length));
    }

    [Test]
    public async Task What_was_a_link_in_between_is_not_built_on_what_it_was_before()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links may not be made there.");
        await SendAsync();
        foreach (var name in Both) await FetchAsync(name);
        var path = Path.Combine(_spool.From, "d/f1");
        var content = File.ReadAllBytes(path);
        File.Delete(path);
        File.CreateSymbolicLink(path, "f2");
        await SendAsync();
        await FetchAsync("ann");
        File.Delete(path);
        Write("d/f1", content);
        Change("d/f1");
        await SendAsync();
        foreach (var name in Both)
        {
            await FetchAsync(name);
            _spool.AssertSame(name);
        }
    }

    private static SpoolFetcherOptions Replacing(SpoolFetcherOptions options) => options with { Overwrite = OverwriteMode.Always };

    private static long BytesIn(string job) => Directory.GetFiles(job).Sum(file => new FileInfo(file).Length);

    private SpoolSenderOptions Telling(SpoolSenderOptions options) =>
        options with { LoggerFactory = new LogEvents(["SpoolFilesLacking"], _warnings.Enqueue) };

    private string[] Remembered() =>
        [.. Directory.GetFiles(_spool.State("sender")).Where(
            path => path.EndsWith(".bases", StringComparison.Ordinal) || path.EndsWith(".pending", StringComparison.Ordinal))];

    private async Task SendAsync(SpoolHarness? spool = null) =>
        Assert.That((await (spool ?? _spool).SendAsync(Both, Telling)).Failures, Is.Empty);

    private async Task<JobResult> FetchAsync(string name, SpoolHarness? spool = null)
    {
        var result = await (spool ?? _spool).FetchAsync(name, Replacing);
        Assert.That(result.Failures.Select(failure => failure.Error!.Message), Is.Empty);
        return result;
    }

    private void Write(string name, byte[] content)
    {
        _spool.Write(name, content);
        Touch(Path.Combine(_spool.From, name));
    }

    // A few bytes in the middle, and some more.
    private void Change(string name, SpoolHarness? spool = null, int? at = null)
    {
        var path = Path.Combine((spool ?? _spool).From, name);
        var bytes = File.ReadAllBytes(path);
        var place = at ?? bytes.Length / 2;
        File.WriteAllBytes(path, [.. bytes[..place], .. Samples.Bytes(20, ++_version), .. bytes[(place + 10)..]]);
        Touch(path);
    }

    private void Touch(string path) =>
        File.SetLastWriteTimeUtc(path, new DateTime(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(++_version));

    // As his own program would, but for what he says.
    private async Task<string> ConfirmAsync(string name, Func<SpoolConfirmation, SpoolConfirmation> change)
    {
        await using var client = _spool.Client();
        using var ring = _spool.Key(name).CreateRing();
        var store = new SpoolStore(client, "spool", Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
        using var job = await SpoolJob.ReadAsync(store, SpoolNames.JobOf(Path.GetFileName(_spool.Job))!.Value, _spool.Key(name), ring,
            _ => true, default);
        var end = await job!.ReadEndAsync(default);
        var recipient = Array.IndexOf(Both, name);
        var confirmation = new SpoolConfirmation
        {
            Head = job.Hash,
            Recipient = recipient,
            IsFinal = true,
            Archives = end!.Archives,
            Digest = end.Digest
        };
        var path = Path.Combine(_spool.Job, SpoolNames.Confirmation(recipient, 0));
        File.WriteAllBytes(path, await job.SealConfirmationAsync(change(confirmation)));
        return path;
    }
}
