using System.Security.Cryptography;
using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;
using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>Stores and co-recipients that lie, and what is lost on the way.</summary>
[Category(Categories.Slow)]
public sealed class SpoolFaultTests
{
    [TestCase("flipped at the beginning")]
    [TestCase("flipped in the middle")]
    [TestCase("flipped in the proof")]
    [TestCase("truncated")]
    [TestCase("lengthened")]
    [TestCase("empty")]
    public async Task An_archive_that_was_changed_in_the_store_is_not_taken(string how)
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var (good, bad) = (spool.Archives[0], spool.Archives[1]);
        var bytes = File.ReadAllBytes(bad);
        var kept = bytes.ToArray();
        switch (how)
        {
            case "truncated":
                bytes = bytes[..^5];
                break;
            case "lengthened":
                bytes = [.. bytes, 0];
                break;
            case "empty":
                bytes = [];
                break;
            default:
                bytes[how.Contains("beginning", StringComparison.Ordinal) ? 50
                    : how.Contains("middle", StringComparison.Ordinal) ? bytes.Length / 2 : ^3] ^= 1;
                break;
        }
        File.WriteAllBytes(bad, bytes);
        var result = await spool.FetchAsync("ann");
        Assert.That(Failure(result), Is.AnyOf(TransferError.Integrity, TransferError.Protocol));
        Assert.That(result.Failures.Single().Error!.Message, Does.Contain(Path.GetFileName(bad)));
        Assert.That(File.Exists(good) && File.Exists(bad), "nothing is deleted");
        Assert.That(Confirmed(spool), Is.False);

        // It is asked for again, and nothing else.
        File.WriteAllBytes(bad, kept);
        var read = new List<string>();
        await using var client = new WatchedClient(spool.Root)
        { OnRead = path => { lock (read) read.Add(path); return Task.CompletedTask; } };
        Assert.That((await spool.FetchAsync(client, "ann")).Failed, Is.Zero);
        Assert.That(read.Count(path => path.EndsWith(".tfa", StringComparison.Ordinal)), Is.EqualTo(1));
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task Archives_that_were_swapped_are_not_taken()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var (one, other) = (spool.Archives[0], spool.Archives[1]);
        var bytes = File.ReadAllBytes(one);
        File.WriteAllBytes(one, File.ReadAllBytes(other));
        File.WriteAllBytes(other, bytes);
        Assert.That(Failure(await spool.FetchAsync("ann")), Is.EqualTo(TransferError.Integrity));
        Assert.That(Confirmed(spool), Is.False);
    }

    [Test]
    public async Task An_archive_of_another_job_is_not_taken()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var first = spool.Job;
        await spool.SendAsync(["ann"]);
        var second = spool.Jobs.Single(job => job != first);
        File.Copy(Path.Combine(first, "00000001.tfa"), Path.Combine(second, "00000001.tfa"), overwrite: true);
        var result = await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always });
        Assert.That((Failure(result), result.Failures.Single().Path), Is.EqualTo((TransferError.Integrity, Path.GetFileName(second))));
    }

    [Test]
    public async Task An_archive_that_was_dropped_is_missed_and_what_is_there_is_kept()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var (path, bytes) = (spool.Archives[2], File.ReadAllBytes(spool.Archives[2]));
        File.Delete(path);
        var result = await spool.FetchAsync("ann");
        Assert.That(Failure(result), Is.EqualTo(TransferError.Timeout));
        Assert.That(result.Failures.Single().Error!.Message, Does.Contain("1 of its archives"));
        Assert.That(Confirmed(spool), Is.False);
        File.WriteAllBytes(path, bytes);
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
    }

    [Test]
    public async Task What_a_listing_does_not_show_yet_is_asked_for()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        await using var client = new WatchedClient(spool.Root) { Hides = entry => entry.Name is "00000000.tfa" or "00000002.tfa" };
        Assert.That((await spool.FetchAsync(client, "ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
    }

    [Test]
    public async Task What_comes_late_is_waited_for()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var (late, end) = (spool.Archives[1], Path.Combine(spool.Job, "end"));
        File.Move(late, late + ".later");
        File.Move(end, end + ".later");
        var listed = 0;
        await using var client = new WatchedClient(spool.Root)
        {
            Hides = entry =>
            {
                if (entry.Name == "head" && ++listed == 3) File.Move(end + ".later", end);
                if (entry.Name == "head" && listed == 5) File.Move(late + ".later", late);
                return false;
            },
        };
        Assert.That((await spool.FetchAsync(client, "ann", options => options with { Patience = TimeSpan.FromSeconds(30) })).Failed,
            Is.Zero);
        spool.AssertSame("ann");
    }

    [Test]
    public async Task While_an_archive_grows_in_the_store_its_job_is_not_given_up()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        var late = spool.Archives[1];
        var bytes = File.ReadAllBytes(late);
        File.Delete(late);
        var listed = 0;
        await using var client = new WatchedClient(spool.Root)
        {
            Hides = entry =>
            {
                if (entry.Name != "end" || ++listed > 15) return false;
                if (listed < 15) File.AppendAllText(late + ".part", "more");
                else File.WriteAllBytes(late, bytes);
                return false;
            },
        };
        // Each look comes after more than the patience.
        var result = await spool.FetchAsync(client, "ann", options => options with { Patience = TimeSpan.FromMilliseconds(1) });
        Assert.That((result.Failed, listed), Is.EqualTo((0L, 15)).Or.EqualTo((0L, 16)).Or.EqualTo((0L, 17)),
            "it is also listed to be deleted");
        spool.AssertSame("ann");
    }

    [Test]
    public async Task Of_two_senders_of_one_job_one_is_told_of_the_other()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        TransferException? told = null;
        await spool.SendAsync(["ann"],
            items: _ => told ??= Assert.CatchAsync<TransferException>(() => spool.SendAsync(["ann"])).GetAwaiter().GetResult());
        Assert.That(told!.Message, Does.Contain("another run"));
        Assert.That(spool.Jobs, Has.Length.EqualTo(1));
        Assert.That((await spool.FetchAsync("ann")).Files, Is.EqualTo(3));
    }

    [Test]
    public async Task An_old_job_that_is_shown_once_more_is_not_taken([Values] bool isForgotten)
    {
        using var spool = new SpoolHarness();
        var old = Path.Combine(spool.Root, "old");
        spool.Write("a", "old"u8.ToArray());
        await spool.SendAsync(["ann"]);
        var job = spool.Job;
        SpoolHarness.CopyFolder(job, old);
        // A job that was never shown is no better when it comes after a later one.
        if (isForgotten) Directory.Delete(job, recursive: true);
        else await spool.FetchAsync("ann");
        spool.Write("a", "new"u8.ToArray());
        await spool.SendAsync(["ann"]);
        Assert.That((await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always })).Files, Is.EqualTo(1));

        SpoolHarness.CopyFolder(old, job);
        var result = await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always });
        Assert.That(File.ReadAllText(Path.Combine(spool.To("ann"), "a")), Is.EqualTo("new"));
        Assert.That(result.Files, Is.Zero);
        if (isForgotten)
        {
            Assert.That(result.Failures.Single().Error,
                Has.Property("Error").EqualTo(TransferError.Integrity).And.Message.Contains("older"));
        }
        else
        {
            Assert.That(result.Failed, Is.Zero, "it is known to be done");
        }
    }

    [TestCase("head")]
    [TestCase("end")]
    public async Task A_head_or_an_end_that_was_changed_is_not_taken(string name)
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann"]);
        var path = Path.Combine(spool.Job, name);
        var bytes = File.ReadAllBytes(path);
        bytes[^30] ^= 1;
        File.WriteAllBytes(path, bytes);
        var result = await spool.FetchAsync("ann");
        // A folder whose head is not by anybody who is known may be anybody's.
        if (name == "head") Assert.That((result.Files, result.Failed), Is.EqualTo((0L, 0L)));
        else Assert.That(Failure(result), Is.EqualTo(TransferError.Integrity));
        Assert.That(Confirmed(spool), Is.False);
    }

    [Test]
    public async Task An_end_of_an_earlier_run_hides_no_archive()
    {
        // The sender is broken off after its first archive, and the store keeps the end that its next run puts there; the next job has one
        // of its own.
        using var spool = new SpoolHarness();
        spool.Fill(files: 1100, large: 0);
        await BreakOffAsync(spool, afterFiles: 900);
        var first = spool.Job;
        await spool.SendAsync(["ann"], options => options with { Resume = true });
        var second = spool.Jobs.Single(job => job != first);
        File.Copy(Path.Combine(first, "end"), Path.Combine(second, "end"), overwrite: true);
        Assert.That(Failure(await spool.FetchAsync("ann")), Is.AnyOf(TransferError.Integrity, TransferError.Protocol));
    }

    [Test]
    public async Task A_job_of_somebody_who_is_not_known_is_left_alone()
    {
        using var spool = new SpoolHarness();
        using var stranger = SpoolKey.Create();
        spool.Write("a", "content"u8.ToArray());
        await using var client = spool.Client();
        await new SpoolSender(client, "spool", stranger, spool.SenderOptions).SendAsync(spool.From, spool.Recipients("ann"));
        Assert.That((await spool.FetchAsync("ann")).Files, Is.Zero);
        Assert.That(Directory.Exists(spool.To("ann")), Is.False);
        Assert.That(spool.Jobs, Has.Length.EqualTo(1));
    }

    [Test]
    public async Task Who_has_another_key_or_another_name_gets_nothing([Values] bool isShared, [Values] bool isName)
    {
        using var spool = new SpoolHarness(isShared);
        using var other = isShared ? SpoolKey.CreateShared() : SpoolKey.Create();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann"]);
        await using var client = spool.Client();
        var fetcher = new SpoolFetcher(client, "spool", isName ? "anne" : "ann", isName ? spool.Key("ann") : other,
            spool.FetcherOptions("x"));
        var fetch = fetcher.FetchAsync(spool.To("x"));
        if (isName)
            Assert.That((await fetch.Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound), "the head opens");
        else
            Assert.That(((await fetch).Files, (await fetch).Failed), Is.EqualTo((0L, 0L)));
        Assert.That(spool.Jobs, Has.Length.EqualTo(1));
    }

    [Test]
    public async Task A_co_recipient_can_forge_no_archive()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann", "eve"]);
        using var ring = spool.Key("eve").CreateRing();
        await using var client = spool.Client();
        using var job = await spool.ReadJobAsync(client, "eve", ring);

        // Whoever knows ann's key can make an archive that opens for her.
        spool.Write("evil", "evil"u8.ToArray());
        using var keys = JobKeys.Create(job.Id, spool.Key("ann").Public!.Recipient);
        await using var archives = FolderArchives.Open(spool.From, new BatchPackOptions { Manifest = job.Hash }, keys);
        using var content = new MemoryStream();
        await (await archives.NextAsync(default))!.WriteToAsync(content, default);
        var path = spool.Archives.Single();
        var proof = File.ReadAllBytes(path)[^job.ProofLength..];
        byte[][] proofs = [proof,
            spool.Key("eve").Prove(job.Secret, SpoolStatement.OfArchive(job.Hash, 0, SHA256.HashData(content.ToArray())))];
        foreach (var one in proofs)
        {
            File.WriteAllBytes(path, [.. content.ToArray(), .. one]);
            Assert.That(Failure(await spool.FetchAsync("ann")), Is.EqualTo(TransferError.Integrity));
            Assert.That(File.Exists(Path.Combine(spool.To("ann"), "evil")), Is.False);
        }
    }

    [Test]
    public async Task A_co_recipient_can_forge_neither_head_nor_end()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 1100, large: 0);
        await spool.SendAsync(["ann", "eve"]);
        using var ring = spool.Key("eve").CreateRing();
        await using var client = spool.Client();
        using var job = await spool.ReadJobAsync(client, "eve", ring);
        // The end of a job with fewer archives, as its secret allows it.
        var end = new SpoolEnd { Head = job.Hash, Archives = 1, Void = [], Digest = SpoolEnd.DigestOf([]) }.ToBytes();
        File.WriteAllBytes(Path.Combine(spool.Job, "end"),
            await SealedRecord.SealAsync(job.Id, SealedRecord.EndNumber, job.Secret, job.Wraps, end,
                spool.Key("eve").Prove(job.Secret, SpoolStatement.OfEnd(end))));
        Assert.That(Failure(await spool.FetchAsync("ann")), Is.EqualTo(TransferError.Integrity));

        // The sender's own head, sealed under another secret for somebody else.
        using var keys = JobKeys.Create(job.Id, spool.Key("ben").Public!.Recipient);
        var file = await SealedRecord.SealAsync(job.Id, SealedRecord.HeadNumber, keys.Secret!, keys.Wraps, job.Head.ToBytes(),
            new byte[job.ProofLength]);
        File.WriteAllBytes(Path.Combine(spool.Job, "head"), file);
        Assert.That((await spool.FetchAsync("ben")).Files, Is.Zero);
    }

    [Test]
    public async Task A_head_that_was_signed_opens_with_its_own_secret_only()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann", "eve"]);
        var path = Path.Combine(spool.Job, "head");
        await using var client = spool.Client();
        byte[] record, proof;
        JobId id;
        using (var ring = spool.Key("eve").CreateRing())
        using (var job = await spool.ReadJobAsync(client, "eve", ring))
        {
            id = job.Id;
            (record, proof, _) = await SealedRecord.OpenAsync(File.ReadAllBytes(path), ring, id, SealedRecord.HeadNumber, job.ProofLength);
        }
        // Head and signature are right; only the secret is eve's.
        using var keys = JobKeys.Create(id, spool.Key("ann").Public!.Recipient);
        File.WriteAllBytes(path, await SealedRecord.SealAsync(id, SealedRecord.HeadNumber, keys.Secret!, keys.Wraps, record, proof));
        var error = await Assert.CatchAsync<TransferException>(async () =>
        {
            using var ring = spool.Key("ann").CreateRing();
            using var job = await spool.ReadJobAsync(client, "ann", ring);
        });
        Assert.That(error!.Error, Is.EqualTo(TransferError.Integrity));
    }

    [TestCase("another's")]
    [TestCase("forged")]
    [TestCase("not final")]
    [TestCase("of another end")]
    [TestCase("nonsense")]
    public async Task A_confirmation_counts_only_if_it_is_the_recipients_own(string what)
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann", "eve"]);
        var job = spool.Job;
        // Eve wants ann's job to be gone before ann has it.
        await using (var client = spool.Client())
        {
            using var ring = spool.Key("eve").CreateRing();
            using var read = await spool.ReadJobAsync(client, "eve", ring);
            var end = await read.ReadEndAsync(default);
            var confirmation = new SpoolConfirmation
            {
                Head = read.Hash,
                Recipient = what == "another's" ? 1 : 0,
                IsFinal = what != "not final",
                Archives = end!.Archives,
                Digest = what == "of another end" ? new byte[32] : end.Digest,
            };
            var record = confirmation.ToBytes();
            var key = what is "not final" or "of another end" ? spool.Key("ann") : spool.Key("eve");
            var bytes = await SealedRecord.SealAsync(read.Id, SealedRecord.ConfirmationNumber(confirmation.Recipient), read.Secret,
                read.Wraps, record, key.Prove(read.Secret, SpoolStatement.OfConfirmation(record)));
            File.WriteAllBytes(Path.Combine(job, "confirmed-0-7"), what == "nonsense" ? [1, 2, 3] : bytes);
        }
        await spool.FetchAsync("eve");
        Assert.That(Directory.Exists(job), "eve is not the last");
        await spool.SendAsync(["ann", "eve"]);
        Assert.That(Directory.Exists(job), "and the sender knows it too");
        Assert.That((await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always })).Failed, Is.Zero);
        Assert.That(Directory.Exists(job), Is.False);
    }

    [Test]
    public async Task With_a_shared_key_nobody_else_can_confirm()
    {
        using var spool = new SpoolHarness(isShared: true);
        using var other = new SpoolHarness(isShared: true);
        foreach (var one in (SpoolHarness[])[spool, other])
        {
            one.Write("a", "content"u8.ToArray());
            await one.SendAsync(["ann", "ben"]);
            await one.FetchAsync("ann");
        }
        foreach (var confirmation in Directory.GetFiles(other.Job, "confirmed-0-*"))
            File.Copy(confirmation, Path.Combine(spool.Job, "confirmed-1-0"), overwrite: true);
        File.Copy(Directory.GetFiles(spool.Job, "confirmed-0-*").Single(), Path.Combine(spool.Job, "confirmed-1-1"));
        await spool.SendAsync(["ann", "ben"]);
        Assert.That(spool.Jobs, Has.Length.EqualTo(2));
    }

    [Test]
    public async Task A_sender_that_was_killed_takes_its_job_back_and_begins_again()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(files: 1100, large: 0);
        await BreakOffAsync(spool, afterFiles: 900);
        var broken = spool.Job;
        Assert.That(spool.Archives, Is.Not.Empty);
        // Somebody has had a part of it by then.
        Assert.That(Failure(await spool.FetchAsync("ann")), Is.EqualTo(TransferError.Timeout));
        var sent = await spool.SendAsync(["ann"]);
        Assert.That(sent.Files, Is.EqualTo(count));
        Assert.That(spool.Jobs, Has.Length.EqualTo(1).And.None.EqualTo(broken));
        var fetched = await spool.FetchAsync("ann");
        Assert.That((fetched.Files, fetched.Failed), Is.EqualTo(((long)count, 0L)), "what is there is its own work");
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task A_sender_that_was_killed_goes_on_if_it_is_asked_to()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(files: 1100);
        await BreakOffAsync(spool, afterFiles: 900);
        var before = spool.Items.Count(item => item.Error is null);
        Assert.That(Failure(await spool.FetchAsync("ann")), Is.EqualTo(TransferError.Timeout));
        var sent = await spool.SendAsync(["ann", "ben"]);
        Assert.That(sent.Files, Is.EqualTo(count), "to others it is another job");
        sent = await spool.SendAsync(["ann"], options => options with { Resume = true });
        Assert.That(sent.Files, Is.LessThanOrEqualTo(count - 900).And.GreaterThan(0));
        Assert.That(sent.Failed, Is.Zero);
        var fetched = await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always });
        Assert.That(fetched.Failures.Select(failure => failure.Error!.Message), Is.Empty);
        spool.AssertSame("ann");
        Assert.That(before, Is.Positive);
    }

    [Test]
    public async Task What_is_to_be_continued_must_still_be_there()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 1100, large: 0);
        await BreakOffAsync(spool, afterFiles: 900);
        Directory.Delete(spool.Job, recursive: true);
        var error = await Assert.CatchAsync<TransferException>(() => spool.SendAsync(["ann"], options => options with { Resume = true }));
        Assert.That(error!.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That((await spool.SendAsync(["ann"])).Files, Is.EqualTo(1100));
    }

    [Test]
    public async Task A_job_that_came_to_its_end_stays_though_its_sender_did_not_hear_of_it([Values] bool resume)
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(large: 0);
        await using (var client = new WatchedClient(spool.Root))
        {
            // Earlier jobs are looked for until the end is there, and then the sender is killed.
            client.Hides = entry =>
                entry.Type == RemoteEntryType.Directory
                && SpinWait.SpinUntil(() => File.Exists(Path.Combine(spool.Job, "end")), SpoolHarness.Patience)
                    ? throw new OperationCanceledException() : false;
            await Assert.CatchAsync<OperationCanceledException>(() => spool.SendAsync(client, ["ann"]));
        }
        var job = spool.Job;
        var sent = await spool.SendAsync(["ann"], options => options with { Resume = resume });
        Assert.That(sent.Files, Is.EqualTo(resume ? 0 : count));
        Assert.That(spool.Jobs, Has.Length.EqualTo(2).And.Some.EqualTo(job), "folders go again");
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero, "what comes twice is its own");
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task A_recipient_that_was_killed_goes_on_where_it_was()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(files: 1100);
        await spool.SendAsync(["ann"]);
        using var kill = new CancellationTokenSource();
        var read = 0;
        await using (var client = new WatchedClient(spool.Root))
        {
            client.OnRead = path =>
                path.EndsWith(".tfa", StringComparison.Ordinal) && Interlocked.Increment(ref read) == 3
                ? kill.CancelAsync() : Task.CompletedTask;
            await Assert.CatchAsync<OperationCanceledException>(
                () => spool.FetchAsync(client, "ann", options => options with { Sessions = 1 }, ct: kill.Token));
        }
        var result = await spool.FetchAsync("ann");
        Assert.That((result.Failed, spool.Items.Count(item => item.Error is null)), Is.EqualTo((0L, 2 * count)), "no file is taken twice");
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task A_recipient_that_was_killed_before_it_could_remember_an_archive_takes_it_again()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 20);
        await spool.SendAsync(["ann", "ben"]);
        await spool.FetchAsync("ann");
        // All of its files are there, and all that it remembers is that it has begun.
        var memory = Directory.GetFiles(spool.State("ann"), "*.job").Single();
        using (var file = File.Open(memory, FileMode.Open)) file.SetLength(19 + 8 + 3 + spool.To("ann").Length);
        var result = await spool.FetchAsync("ann");
        Assert.That((result.Files, result.Failed), Is.EqualTo((21L, 0L)));
        spool.AssertSame("ann");
    }

    [Test]
    public async Task A_confirmation_that_did_not_get_there_is_put_there_by_the_next_run()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann", "ben"]);
        await spool.FetchAsync("ann");
        foreach (var confirmation in Directory.GetFiles(spool.Job, "confirmed-*")) File.Delete(confirmation);
        // The last record says that it was confirmed.
        var memory = Directory.GetFiles(spool.State("ann"), "*.job").Single();
        using (var file = File.Open(memory, FileMode.Open)) file.SetLength(file.Length - 9);
        Assert.That((await spool.FetchAsync("ann")).Files, Is.Zero);
        Assert.That(Directory.GetFiles(spool.Job, "confirmed-0-*"), Has.Length.EqualTo(1));
        await spool.FetchAsync("ben");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task A_store_that_is_away_for_a_while_is_waited_for([Values] bool waits)
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann"]);
        var tries = 0;
        await using var client = new WatchedClient(spool.Root)
        {
            Hides = _ => Interlocked.Increment(ref tries) <= 8 ? throw new TransferConnectionException("The store is away.") : false,
        };
        if (!waits)
        {
            // Not for ever: whoever runs it is there to see.
            var error = await Assert.CatchAsync<TransferConnectionException>(() => spool.FetchAsync(client, "ann"));
            Assert.That((error!.Message, tries), Is.EqualTo(("The store is away.", 5)));
        }
        var result = await spool.FetchAsync(client, "ann", options => options with { Wait = true });
        Assert.That((result.Files, result.Failed), Is.EqualTo((3L, 0L)));
        spool.AssertSame("ann");
    }

    [Test]
    public async Task Of_two_fetchers_for_one_recipient_one_is_told_of_the_other()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann"]);
        var begun = new TaskCompletionSource();
        var other = new TaskCompletionSource();
        await using var client = new WatchedClient(spool.Root)
        {
            OnRead = path =>
            {
                if (!path.EndsWith(".tfa", StringComparison.Ordinal)) return Task.CompletedTask;
                begun.TrySetResult();
                return other.Task;
            },
        };
        var first = spool.FetchAsync(client, "ann");
        await begun.Task;
        var second = await Assert.CatchAsync<TransferException>(() => spool.FetchAsync("ann"));
        Assert.That(second!.Message, Does.Contain("another fetch"));
        var waiting = spool.FetchAsync("ann", options => options with { Wait = true, Overwrite = OverwriteMode.Always });
        other.SetResult();
        Assert.That((await first).Failed, Is.Zero);
        spool.AssertSame("ann");
        await spool.SendAsync(["ann"]);
        Assert.That((await waiting).Files, Is.EqualTo(3), "it had its turn");
    }

    [Test]
    public async Task Two_fetchers_for_one_recipient_on_two_machines_both_get_it_or_are_told()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(files: 500);
        await spool.SendAsync(["ann", "ben"]);
        await using var client = spool.Client();
        JobResult[] results = await Task.WhenAll(((string[])["one", "two"]).Select(machine =>
            new SpoolFetcher(client, "spool", "ann", spool.Key("ann"), spool.FetcherOptions("ann") with
            { StateFolder = spool.State(machine) }).FetchAsync(spool.To(machine)))).WaitAsync(SpoolHarness.Patience);
        Assert.That(results.Select(result => (result.Files, result.Failed)), Has.All.EqualTo(((long)count, 0L)));
        spool.AssertSame("one");
        spool.AssertSame("two");
        await spool.FetchAsync("ben");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task A_job_whose_deadline_has_passed_is_deleted_by_the_senders_next_run_and_only_the_stores_clock_counts()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann"],
            options => options with { Deadline = TimeSpan.FromDays(2), TimeProvider = new ShiftedTime(TimeSpan.FromDays(-400)) });
        var old = spool.Job;
        await spool.SendAsync(["ann"],
            options => options with { Deadline = TimeSpan.FromDays(2), TimeProvider = new ShiftedTime(TimeSpan.FromDays(400)) });
        Assert.That(Directory.Exists(old), "by the store's clock it is seconds old");
        foreach (var file in Directory.GetFiles(old)) File.SetLastWriteTimeUtc(file, DateTime.UtcNow.AddDays(-1));
        await spool.SendAsync(["ann"]);
        Assert.That(Directory.Exists(old), "a day is not two");
        foreach (var file in Directory.GetFiles(old)) File.SetLastWriteTimeUtc(file, DateTime.UtcNow.AddDays(-3));
        await spool.SendAsync(["ann"]);
        Assert.That(Directory.Exists(old), Is.False);
        var fetched = await spool.FetchAsync("ann",
            options => options with { Overwrite = OverwriteMode.Always, TimeProvider = new ShiftedTime(TimeSpan.FromDays(-4000)) });
        Assert.That((fetched.Files, fetched.Failed), Is.EqualTo((3L, 0L)));
    }

    [Test]
    public async Task Senders_with_one_key_and_different_clocks_are_in_nobodys_way([Values] bool isShared)
    {
        using var spool = new SpoolHarness(isShared);
        for (var i = 0; i < 2; i++)
        {
            // The second machine, and the first one after it has lost its state, are late by years.
            var skew = TimeSpan.FromDays(-1000 * i);
            spool.Write($"a{i}", "content"u8.ToArray());
            await spool.SendAsync(["ann"],
                options =>
                options with
                {
                    StateFolder = spool.State($"machine{i}"),
                    TimeProvider = new ShiftedTime(skew),
                    Filter = new TransferFilter { Include = [$"a{i}"] }
                });
            Assert.That((await spool.FetchAsync("ann")).Files, Is.EqualTo(1));
        }
        // The same one has its clock put back.
        spool.Write("b", "content"u8.ToArray());
        await spool.SendAsync(["ann"],
            options =>
            options with
            {
                StateFolder = spool.State("machine0"),
                TimeProvider = new ShiftedTime(TimeSpan.FromDays(-5000)),
                Filter = new TransferFilter { Include = ["b"] }
            });
        Assert.That((await spool.FetchAsync("ann")).Files, Is.EqualTo(1));
        spool.AssertSame("ann");
    }

    [Test]
    public async Task A_job_that_is_taken_back_while_it_is_fetched_is_told_of()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 3, large: 0);
        await spool.SendAsync(["ann"]);
        var job = spool.Job;
        await using var client = new WatchedClient(spool.Root)
        {
            OnRead = path =>
            {
                if (path.EndsWith(".tfa", StringComparison.Ordinal)) Directory.Delete(job, recursive: true);
                return Task.CompletedTask;
            },
        };
        Assert.That(Failure(await spool.FetchAsync(client, "ann")), Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task A_file_that_changes_while_it_is_packed_goes_again_as_it_is_then()
    {
        using var spool = new SpoolHarness();
        for (var i = 0; i < 1100; i++) spool.Write($"f{i:D4}", [1]);
        string? changed = null;
        var last = new List<string>();
        // The first archive is stored; the second one is planned.
        var sent = await spool.SendAsync(["ann"], options => options with { Sessions = 1 }, items: item =>
        {
            last.Add(item.Path);
            if (last.Count != 1000) return;
            changed = TempFolder.FilesIn(spool.From).Except(last).First();
            File.AppendAllText(Path.Combine(spool.From, changed), "more");
        });
        Assert.That((sent.Files, sent.Failed, last.Count(path => path == changed)), Is.EqualTo((1100L, 0L, 1)));
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
        Assert.That(new FileInfo(Path.Combine(spool.To("ann"), changed!)).Length, Is.EqualTo(5));
    }

    [Test]
    public async Task A_store_that_is_full_breaks_the_job_off_and_a_large_file_comes_whole_by_the_next_run()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 10, large: 22_000_000);
        await using var server = await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(spool.Root)) });
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });
        var full = server.Faults.Reply("STOR", "552 There is no room.", skip: 4, times: 10);
        var error =
            await Assert.CatchAsync<TransferException>(() => spool.SendAsync(client, ["ann"], options => options with { Sessions = 1 }));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Quota));
        Assert.That(spool.Archives, Has.Length.EqualTo(3));
        full.Release();
        server.Faults.Clear();
        // Slices of the first run's are there by then.
        Assert.That(Failure(await spool.FetchAsync(client, "ann")), Is.EqualTo(TransferError.Timeout));
        Assert.That((await spool.SendAsync(client, ["ann"], options => options with { Resume = true })).Failed, Is.Zero);
        Assert.That(spool.Jobs, Has.Length.EqualTo(2));
        var result = await spool.FetchAsync(client, "ann");
        Assert.That(result.Failures.Select(failure => failure.Error!.Message), Is.Empty);
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task Connections_that_are_lost_are_made_again()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill();
        await using var server = await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(spool.Root)) });
        await using var client = new FtpTransferClient(server.Uri,
            new FtpOptions { Credential = new TransferCredential("demo", "demo"), Retry = Samples.SoonAgain });
        server.Faults.CutData(1_000_000, "STOR", reset: true, times: 2);
        server.Faults.DropConnection("RNTO", executed: true, reset: true, skip: 1);
        Assert.That((await spool.SendAsync(client, ["ann"])).Files, Is.EqualTo(count));
        server.Faults.CutData(1_000_000, "RETR", reset: true, times: 2);
        server.Faults.DropConnection("LIST", reset: true);
        Assert.That((await spool.FetchAsync(client, "ann", options => options with { Patience = TimeSpan.FromSeconds(20) })).Failed,
            Is.Zero);
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    // Stored between the refusal and the look that explains it: a look at a file that is there says that it may not be read.
    [Test]
    public async Task A_file_that_was_stored_behind_its_refusal_is_read([Range(0, 2)] int skip)
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 10);
        await spool.SendAsync(["ann"]);
        await using var server = await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(spool.Root)) });
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });
        server.Faults.Reply("RETR", "550 There is no such file.", skip: skip);
        var result = await spool.FetchAsync(client, "ann",
            options => options with { Wait = true, Patience = TimeSpan.FromSeconds(20) });
        Assert.That(result.Failures.Select(failure => failure.Error!.Message), Is.Empty);
        spool.AssertSame("ann");
    }

    [Test]
    public async Task A_job_goes_on_in_the_folder_in_which_it_was_begun()
    {
        using var spool = new SpoolHarness();
        spool.Fill();
        await spool.SendAsync(["ann"]);
        File.Delete(spool.Archives[1]);
        await spool.FetchAsync("ann");
        await using var client = spool.Client();
        var result = await new SpoolFetcher(client, "spool", "ann", spool.Key("ann"),
            spool.FetcherOptions("ann")).FetchAsync(spool.To("elsewhere"));
        Assert.That(result.Failures.Single().Error!.Message, Does.Contain(spool.To("ann")));
        Assert.That(Directory.Exists(spool.To("elsewhere")), Is.False);
    }

    private static TransferError? Failure(JobResult result) => result.Failures.Single().Error?.Error;

    // The only recipient deletes what it has confirmed.
    private static bool Confirmed(SpoolHarness spool) => spool.Jobs.Length == 0;

    // The sender is killed when so many files are stored.
    private static async Task BreakOffAsync(SpoolHarness spool, int afterFiles)
    {
        using var kill = new CancellationTokenSource();
        var stored = 0;
        await Assert.CatchAsync<OperationCanceledException>(
            () => spool.SendAsync(["ann"], options => options with { Sessions = 1 }, ct: kill.Token, items: item =>
        {
            if (item.Error is null) spool.Items.Add(item);
            if (item.Error is null && Interlocked.Increment(ref stored) == afterFiles) kill.Cancel();
        }));
    }
}
