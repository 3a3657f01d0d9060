using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Carriers.Spool.Sending;
using Transfer.Batch.Carriers.Spool.Versions;
using Transfer.Batch.Sealing;
using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>What others can write to a store, and what became of a job before, never changes files that are here.</summary>
[Category(Categories.Slow)]
public sealed class SpoolGuardTests
{
    [TestCase("eve")]
    [TestCase("sender")]
    public async Task Nothing_of_an_archive_is_used_before_it_is_known_to_be_the_senders_own(string signer)
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann", "eve"]);
        await using var client = spool.Client();
        using var ring = spool.Key("eve").CreateRing();
        using var job = await spool.ReadJobAsync(client, "eve", ring);
        // A file in slices, in a folder of its own; sealed for ann under a secret that is not the job's.
        spool.Write("evil/large", new byte[9_000_000]);
        var good = File.ReadAllBytes(spool.Archives.Single());
        using var keys = JobKeys.Create(job.Id, spool.Key("ann").Public!.Recipient);
        await using var archives = FolderArchives.Open(spool.From, new BatchPackOptions { Manifest = job.Hash, Compress = false }, keys);
        using var content = new MemoryStream();
        await (await archives.NextAsync(default))!.WriteToAsync(content, default);
        var key = signer == "eve" ? spool.Key("eve") : spool.SenderKey;
        var path = spool.Archives.Single();
        File.WriteAllBytes(path,
            [.. content.ToArray(), .. key.Prove(job.Secret, SpoolStatement.OfArchive(job.Hash, 0, SHA256.HashData(content.ToArray())))]);
        Assert.That((await spool.FetchAsync("ann")).Failures.Single().Error!.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(
            Directory.Exists(spool.To("ann")) ? Directory.GetFileSystemEntries(spool.To("ann"), "*", SearchOption.AllDirectories) : [],
            Is.Empty);

        File.WriteAllBytes(path, good);
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        Assert.That(TempFolder.FilesIn(spool.To("ann")), Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task A_long_archive_is_held_in_a_file_that_goes_with_it_and_any_where_no_memory_is_left([Values(1000,
        9_000_000)] int length, [Values] bool isFull)
    {
        var budget = new ByteBudget(isFull ? 1000 : 32 << 20);
        using var folder = new TempFolder();
        var scratch = folder["scratch"];
        var content = RandomNumberGenerator.GetBytes(length);
        await using (var held = await HeldArchive.ReadAsync(new MemoryStream(content), scratch, length, budget, default))
        {
            using var read = new MemoryStream();
            await held.CopyToAsync(read);
            Assert.That(read.ToArray().AsSpan().SequenceEqual(content));
            Assert.That(File.Exists(scratch), Is.EqualTo(isFull || length > 1000));
            Assert.That(budget.Used.Now, Is.EqualTo(isFull || length > 1000 ? 0 : 512 << 10));
            held.Position = length / 2;
            var one = new byte[1];
            Assert.That((await held.ReadAsync(one), one[0], held.Length), Is.EqualTo((1, content[length / 2], (long)length)));
        }
        Assert.That((budget.Used.Now, budget.Used.Peak), Is.EqualTo((0L, isFull ? 0L : length > 1000 ? 8L << 20 : 512L << 10)));
        Assert.That(File.Exists(scratch), Is.False);
        var error = await Assert.CatchAsync<TransferException>(
            async () => await HeldArchive.ReadAsync(new MemoryStream(content), scratch, length - 1, budget, default));
        Assert.That((error!.Error, File.Exists(scratch)), Is.EqualTo((TransferError.Protocol, false)));
    }

    [Test]
    public async Task A_job_that_goes_on_after_a_later_one_is_ended([Values] bool isWatched)
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3);
        spool.Write("a", "old"u8.ToArray());
        await spool.SendAsync(["ann"]);
        var withheld = spool.Archives[0];
        File.Move(withheld, withheld + ".later");
        spool.Write("a", "new"u8.ToArray());
        await spool.SendAsync(["ann"]);
        await using var client = spool.Client();
        var fetcher = new SpoolFetcher(client, "spool", "ann", spool.Key("ann"),
            spool.FetcherOptions("ann") with { Overwrite = OverwriteMode.Always, Wait = isWatched });
        var result = await fetcher.FetchAsync(spool.To("ann")).WaitAsync(SpoolHarness.Patience);
        Assert.That(result.Failed, Is.EqualTo(isWatched ? 0 : 1));
        spool.AssertSame("ann");

        File.Move(withheld + ".later", withheld);
        result = isWatched
            ? await fetcher.FetchAsync(spool.To("ann")).WaitAsync(SpoolHarness.Patience) : await spool.FetchAsync("ann",
                options => options with { Overwrite = OverwriteMode.Always });
        Assert.That(result.Failures.Single().Error,
            Has.Property("Error").EqualTo(TransferError.Integrity).And.Message.Contains("a later one"));
        spool.AssertSame("ann");
        Assert.That(Directory.GetFiles(spool.To("ann"), "*.part", SearchOption.AllDirectories), Is.Empty);
        Assert.That(Directory.GetFiles(spool.Job, "confirmed-*"), Has.Length.LessThanOrEqualTo(1), "never as a whole");
    }

    [Test]
    public async Task A_job_that_was_only_begun_is_no_reason_to_refuse_an_earlier_one()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "old"u8.ToArray());
        await spool.SendAsync(["ann"]);
        var first = spool.Job;
        Directory.Move(first, spool.Root + "/hidden");
        spool.Write("a", "new"u8.ToArray());
        await spool.SendAsync(["ann"]);
        // The listing shows the later job first, and nothing of it is there yet.
        var archive = spool.Archives.Single();
        File.Move(archive, archive + ".later");
        Assert.That((await spool.FetchAsync("ann")).Failures.Single().Error!.Error, Is.EqualTo(TransferError.Timeout));
        Directory.Move(spool.Root + "/hidden", first);
        File.Move(archive + ".later", archive);
        var result = await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always });
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
        spool.AssertSame("ann");
    }

    [Test]
    public async Task A_job_has_no_more_archives_than_can_be_listed()
    {
        using var spool = new SpoolHarness();
        await using var client = spool.Client();
        var state = new SpoolState(spool.State("sender"));
        var store = new SpoolStore(client, "spool", NullLogger.Instance);
        using var journal = SpoolSenderJournal.Open(state.PathOf("job", ".spool"));
        using var confirmed = new ConfirmedVersions(new VersionStore(state, TimeProvider.System, NullLogger.Instance), NullLogger.Instance);
        using var sending = new SpoolSending(store, spool.SenderKey, journal, null, confirmed, new ByteBudget(64 << 20),
            NullLogger.Instance);
        using var keys = JobKeys.Create(spool.SenderKey.Wrapper);
        var head = new SpoolHead
        {
            Job = keys.Job,
            Commitment = SpoolHead.Commit(keys.Secret!, keys.Job),
            Line = 1,
            Sequence = 1,
            Sent = 0,
            Deadline = 0,
            Sender = spool.SenderKey.Public,
            To = spool.Recipients("ann"),
        };
        var error = await Assert.CatchAsync<TransferException>(
            async () =>
            await sending.PutAsync(new Direct.MemorySource(SpoolStore.MostArchives + 1, 10, SpoolStore.MostArchives - 1), keys, head, 1,
                () => { }, default));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(spool.Archives, Has.Length.EqualTo(1), "as many as there may be");
    }

    [TestCase("a")]
    [TestCase("z/large")]
    public async Task A_file_that_could_not_be_written_keeps_its_job_open(string name)
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3);
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann"]);
        var blocked = Path.Combine(spool.To("ann"), name);
        Directory.CreateDirectory(Path.GetDirectoryName(blocked)!);
        File.WriteAllText(blocked, "mine");
        for (var i = 0; i < 2; i++)
        {
            var result = await spool.FetchAsync("ann");
            Assert.That(result.Failures.Select(failure => failure.Path),
                Has.Some.EqualTo(name).And.Some.EqualTo(Path.GetFileName(spool.Job)));
            Assert.That(File.ReadAllText(blocked), Is.EqualTo("mine"));
        }
        File.Delete(blocked);
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task What_can_never_be_written_is_told_of_once()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There can be no such file.");
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        File.CreateSymbolicLink(Path.Combine(spool.From, "out"), "../../elsewhere");
        await spool.SendAsync(["ann"], options => options with { Links = LinkHandling.Copy });
        Assert.That((await spool.FetchAsync("ann")).Failures.Select(failure => failure.Path), Is.EqualTo(new[] { "out" }));
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task Of_two_jobs_that_are_sent_at_once_the_earlier_one_is_in_the_store_first()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        var (begun, goesOn) = (new TaskCompletionSource(), new TaskCompletionSource());
        await using var client = new WatchedClient(spool.Root)
        {
            OnCreate = _ =>
            {
                begun.TrySetResult();
                return goesOn.Task;
            },
        };
        var first = spool.SendAsync(client, ["ann"]);
        await begun.Task;
        var second = spool.SendAsync(["ann", "ben"]);
        await Task.WhenAny(second, Task.Delay(300));
        Assert.That(spool.Jobs, Is.Empty, "the later one waits");
        goesOn.SetResult();
        await Task.WhenAll(first, second);
        Assert.That((await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always })).Failed, Is.Zero);
        Assert.That(spool.Jobs, Has.Length.EqualTo(1));
    }

    [TestCase("of a later version")]
    [TestCase("not to be read")]
    [TestCase("lost each time")]
    [TestCase("a folder")]
    public async Task A_job_that_cannot_be_looked_at_stops_neither_fetchers_nor_senders(string what)
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        var bad = Path.Combine(spool.Spool, "00000000000000000000000000000000");
        Directory.CreateDirectory(what == "a folder" ? bad + "/head" : bad);
        // Nothing but the version is wrong with it.
        if (what != "a folder")
            File.WriteAllBytes(bad + "/head", [0x89, (byte)'T', (byte)'F', (byte)'A', 0x0D, 0x0A, 0x1A, 9, 0, 0, 0, 200]);
        await using var client = new WatchedClient(spool.Root)
        {
            OnRead = path =>
                !path.Contains("0000/head", StringComparison.Ordinal) || what is "of a later version" or "a folder" ? Task.CompletedTask
                : Task.FromException(what == "lost each time"
                    ? new TransferConnectionException("It is lost.") : new TransferException(TransferError.Denied, "No.")),
        };
        await spool.SendAsync(client, ["ann"]);
        var result = await spool.FetchAsync(client, "ann");
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, what == "lost each time" ? 1L : 0L)));
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Has.Length.EqualTo(1));
        // The sender's own look is not ended by it either.
        await spool.SendAsync(client, ["ann"], options => options with { Deadline = TimeSpan.FromDays(1) });
        var old = spool.Jobs.Single(job => job != bad);
        foreach (var file in Directory.GetFiles(old)) File.SetLastWriteTimeUtc(file, DateTime.UtcNow.AddDays(-3));
        await spool.SendAsync(client, ["ann"]);
        Assert.That(spool.Jobs, Has.Length.EqualTo(2).And.None.EqualTo(old));
    }

    [Test]
    public async Task A_job_that_is_lost_again_and_again_does_not_keep_others_from_being_fetched()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann"]);
        var bad = Path.GetFileName(spool.Job);
        await spool.SendAsync(["ann"], options => options with { StateFolder = spool.State("other machine") });
        await using var client = new WatchedClient(spool.Root)
        {
            OnRead = path =>
                path.EndsWith(bad + "/end", StringComparison.Ordinal)
                    ? Task.FromException(new TransferConnectionException("It is lost.")) : Task.CompletedTask,
        };
        var result = await spool.FetchAsync(client, "ann",
            options => options with { Patience = TimeSpan.FromSeconds(20), Overwrite = OverwriteMode.Always });
        Assert.That((result.Files, result.Failures.Single().Path), Is.EqualTo((1L, bad)));
        Assert.That(spool.Jobs.Select(Path.GetFileName), Is.EqualTo(new[] { bad }));
    }

    [TestCase("head", false)]
    [TestCase("head", true)]
    [TestCase("end", false)]
    [TestCase("end", true)]
    public async Task A_sender_gets_over_what_somebody_has_spoilt_of_its_own_job(string name, bool resume)
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(files: 1100, large: 0);
        using var kill = new CancellationTokenSource();
        var stored = 0;
        await Assert.CatchAsync<OperationCanceledException>(
            () => spool.SendAsync(["ann"], options => options with { Sessions = 1 }, ct: kill.Token,
            items: _ => { if (++stored == 900) kill.Cancel(); }));
        var broken = spool.Job;
        File.WriteAllBytes(Path.Combine(broken, name), [0x89, (byte)'T', (byte)'F', (byte)'A', 0x0D, 0x0A, 0x1A, 9, 0, 0, 0, 200]);
        if (name == "head" && resume)
        {
            var error =
                await Assert.CatchAsync<TransferException>(() => spool.SendAsync(["ann"], options => options with { Resume = true }));
            Assert.That(error!.Error, Is.EqualTo(TransferError.NotFound));
            return;
        }
        Assert.That((await spool.SendAsync(["ann"], options => options with { Resume = resume })).Failed, Is.Zero);
        if (!resume) Assert.That(spool.Jobs, Has.Length.EqualTo(1).And.None.EqualTo(broken));
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [TestCase("before")]
    [TestCase("after")]
    public async Task A_job_that_is_gone_when_all_of_it_is_here_is_done(string when)
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann", "ben"]);
        var job = spool.Job;
        await spool.FetchAsync("ben");
        await using var client = new WatchedClient(spool.Root)
        {
            Hides = _ =>
                Directory.Exists(job) && Directory.GetFiles(job, "confirmed-0-*").Length > 0
                ? throw new TransferException(TransferError.Protocol, "Something else is there now.") : false,
        };
        var result = await spool.FetchAsync(client, "ann", items: _ =>
        {
            if (when == "before" && Directory.Exists(job)) Directory.Delete(job, recursive: true);
        });
        Assert.That((result.Files, result.Failed), Is.EqualTo((3L, 0L)));
        spool.AssertSame("ann");
    }

    [Test]
    public async Task Only_what_belongs_to_a_job_is_deleted_with_it_and_in_its_order()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var job = spool.Job;
        File.WriteAllText(Path.Combine(job, "notes.txt"), "somebody's");
        Directory.CreateDirectory(Path.Combine(job, "00000099.tfa"));
        File.WriteAllText(Path.Combine(job, "00000099.tfa", "head"), "somebody's");
        File.WriteAllText(Path.Combine(job, ".transfer-0123456789abcdef-1.part"), "left of an upload");
        var deleted = new List<string>();
        await using var client = new WatchedClient(spool.Root)
        {
            OnDelete = (path, recursive) =>
            {
                Assert.That(recursive, Is.False);
                lock (deleted) deleted.Add(Path.GetFileName(path));
            },
        };
        Assert.That((await spool.FetchAsync(client, "ann")).Failed, Is.Zero);
        Assert.That(deleted[^4..], Is.EqualTo(new[] { "end", "head", "confirmed-0-0", Path.GetFileName(job) }));
        Assert.That(TempFolder.FilesIn(job), Is.EqualTo(new[] { "00000099.tfa/head", "notes.txt" }));
    }

    [Test]
    public async Task A_job_that_could_not_be_deleted_to_the_end_is_deleted_by_the_next_who_looks()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var job = spool.Job;
        await using (var client = new WatchedClient(spool.Root))
        {
            client.OnDelete = (path, _) =>
            {
                if (path.EndsWith("00000001.tfa", StringComparison.Ordinal)) throw new TransferException(TransferError.Denied, "No.");
            };
            Assert.That((await spool.FetchAsync(client, "ann")).Failed, Is.Zero);
        }
        Assert.That(File.Exists(Path.Combine(job, "head")) && File.Exists(Path.Combine(job, "end")));
        await spool.SendAsync(["ann"]);
        Assert.That(Directory.Exists(job), Is.False);
    }

    [Test]
    public async Task A_final_confirmation_is_neither_replaced_nor_deleted_by_the_recipients_other_machine([Values] bool isListed)
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann", "ben"]);
        await spool.FetchAsync("ann");
        var final = Directory.GetFiles(spool.Job, "confirmed-0-*").Single();
        var bytes = File.ReadAllBytes(final);
        // The other machine has a part of it only.
        File.Delete(spool.Archives[1]);
        await using var client = new WatchedClient(spool.Root) { Hides = entry => !isListed && entry.Name == Path.GetFileName(final) };
        var other = new SpoolFetcher(client, "spool", "ann", spool.Key("ann"),
            spool.FetcherOptions("ann") with { StateFolder = spool.State("other") });
        Assert.That((await other.FetchAsync(spool.To("other"))).Failed, Is.EqualTo(1));
        Assert.That(Directory.GetFiles(spool.Job, "confirmed-0-*"), Has.Length.EqualTo(2));
        Assert.That(File.ReadAllBytes(final).AsSpan().SequenceEqual(bytes));
    }

    [Test]
    public async Task What_is_only_as_long_is_not_what_was_written([Values] bool isSame)
    {
        using var spool = new SpoolHarness();
        await using var client = spool.Client();
        var store = new SpoolStore(client, "spool", Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
        var job = JobId.New();
        await store.CreateAsync(job, default);
        var folder = Path.Combine(spool.Spool, job.ToString());
        File.WriteAllBytes(Path.Combine(folder, "confirmed-0-0"), isSame ? [1, 2, 3] : [1, 2, 4]);
        Assert.That(await store.TryWriteNewAsync(job, "confirmed-0-0", [1, 2, 3], default), Is.EqualTo(isSame));
        Assert.That(File.ReadAllBytes(Path.Combine(folder, "confirmed-0-0")), Is.EqualTo(isSame ? new byte[] { 1, 2, 3 } : [1, 2, 4]));
    }

    [Test]
    public async Task A_sender_numbers_its_jobs_for_each_spool_whatever_its_path_is_spelt_like()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await using var client = spool.Client();
        var lines = new List<long>();
        foreach (var path in (string[])["spool", "spool/", "./spool", "other/spool"])
        {
            await new SpoolSender(client, path, spool.SenderKey, spool.SenderOptions).SendAsync(spool.From, spool.Recipients("ann"));
            using var ring = spool.Key("ann").CreateRing();
            var root = path.StartsWith("other", StringComparison.Ordinal) ? path : "spool";
            var folder = Directory.GetDirectories(Path.Combine(spool.Root, root)).Single();
            var store = new SpoolStore(client, root, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
            using var job = await SpoolJob.ReadAsync(store, SpoolNames.JobOf(Path.GetFileName(folder))!.Value, spool.Key("ann"), ring,
                _ => true, default);
            lines.Add(job!.Head.Line);
            Directory.Delete(folder, recursive: true);
        }
        Assert.That(lines.Take(3).Distinct().ToList(), Has.Count.EqualTo(1));
        Assert.That(lines[3], Is.Not.EqualTo(lines[0]));
    }

    [Test]
    public async Task Deadlines_go_by_the_times_in_listings_alone()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann"], options => options with { Deadline = TimeSpan.FromHours(1) });
        // Such a server takes its own zone's time for UTC in one of both.
        await using var client = new WatchedClient(spool.Root)
        { Tells = entry => entry is null ? null : entry with { Modified = entry.Modified?.AddHours(5) } };
        await spool.SendAsync(client, ["ann"]);
        Assert.That(spool.Jobs, Has.Length.EqualTo(2));
    }

    [Test]
    public async Task A_job_that_is_gone_when_its_confirmation_is_tried_again_is_done()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann"]);
        var job = spool.Job;
        await using var server = await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(spool.Root)) });
        await using var client = new FtpTransferClient(server.Uri,
            new FtpOptions { Credential = new TransferCredential("demo", "demo"), Retry = Samples.SoonAgain });
        server.Faults.Reply("STOR", "450 Not now.", times: 1000);
        var fetching = spool.FetchAsync(client, "ann", options => options with { PollInterval = TimeSpan.FromMilliseconds(500) });
        await Eventually.IsAsync(() => server.Commands.Any(command => command.Verb == "STOR"), true);
        Directory.Delete(job, recursive: true);
        var result = await fetching;
        Assert.That((result.Files, result.Failed), Is.EqualTo((3L, 0L)));
    }
}
