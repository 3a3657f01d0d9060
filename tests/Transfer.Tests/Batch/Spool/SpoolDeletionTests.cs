using Transfer.Batch;
using Transfer.Batch.Carriers.Spool;

namespace Transfer.Tests.Batch.Spool;

/// <summary>
/// A job whose deletion is broken off, wherever that is, is deleted by the next sender who looks; one that is being written never is.
/// </summary>
[Category(Categories.Slow)]
public sealed class SpoolDeletionTests
{
    // Two archives, end, head, two confirmations, the folder.
    private const int Steps = 7;

    private static readonly string[] Both = ["ann", "ben"];

    [Test]
    public async Task Whoever_is_broken_off_while_deleting_the_next_run_of_the_sender_ends_it([Range(0, Steps - 1)] int steps,
        [Values] bool isSender)
    {
        using var spool = await ConfirmedAsync(isSender ? int.MaxValue : steps, isSender);
        var job = spool.Job;
        if (isSender)
        {
            await using var client = Broken(spool, steps);
            await spool.SendAsync(client, Both);
        }
        AssertLeft(TempFolder.FilesIn(job), steps);
        await spool.SendAsync(["cleo"]);
        Assert.That(TempFolder.FilesIn(job), Is.Empty);
        // Nothing tells whether an empty folder is that of a job which is about to begin, but its age.
        Assert.That(Directory.Exists(job), Is.EqualTo(steps == Steps - 1));
        if (Directory.Exists(job)) Directory.SetLastWriteTimeUtc(job, DateTime.UtcNow.AddHours(-25));
        await spool.SendAsync(["cleo"]);
        Assert.That(Directory.Exists(job), Is.False);
    }

    [Test]
    public async Task Who_is_killed_while_he_deletes_ends_it_in_his_next_run([Range(0, Steps - 1)] int steps)
    {
        using var spool = await SentAsync(deltas: false);
        var job = spool.Job;
        await using (var client = Broken(spool, steps, path => new OperationCanceledException($"killed before {path} was deleted")))
            await Assert.CatchAsync<OperationCanceledException>(() => spool.FetchAsync(client, "ben"));
        AssertLeft(TempFolder.FilesIn(job), steps);
        Assert.That((await spool.FetchAsync("ben")).Failed, Is.Zero);
        Assert.That(Directory.Exists(job), Is.False);
        spool.AssertSame("ben");
    }

    [Test]
    public async Task What_is_left_of_a_deletion_and_may_not_be_looked_at_fails_no_fetch()
    {
        using var spool = await SentAsync(deltas: false);
        var job = spool.Job;
        // The head is gone, and confirmations are left.
        await using (var client = Broken(spool, 4, path => new OperationCanceledException($"killed before {path} was deleted")))
            await Assert.CatchAsync<OperationCanceledException>(() => spool.FetchAsync(client, "ben"));
        await using (var blind = new WatchedClient(spool.Root)
        {
            Hides =
            entry => entry.Name == "confirmed-0-0" ? throw new TransferException(TransferError.Denied, "It may not be listed.") : false
        })
        {
            Assert.That((await spool.FetchAsync(blind, "ben")).Failed, Is.Zero);
        }

        Assert.That(TempFolder.FilesIn(job), Has.Length.EqualTo(2));
        await spool.FetchAsync("ben");
        Assert.That(Directory.Exists(job), Is.False);
    }

    [Test]
    public async Task Of_a_job_with_deltas_too_which_its_sender_deletes([Range(0, Steps - 2)] int steps)
    {
        using var spool = await ConfirmedAsync(int.MaxValue, isSender: false, deltas: true);
        var job = spool.Job;
        Assert.That(TempFolder.FilesIn(job), Is.EqualTo(new[] { "confirmed-0-0", "confirmed-1-0", "end", "head" }));
        await using (var client = Broken(spool, steps)) await spool.SendAsync(client, Both);
        await spool.SendAsync(Both);
        Assert.That(TempFolder.FilesIn(job), Is.Empty);
    }

    [Test]
    public async Task A_recipient_who_knows_nothing_of_a_job_that_is_being_deleted_has_all_of_it_or_is_told_or_leaves_it([Range(0,
        Steps - 1)] int steps)
    {
        using var spool = await ConfirmedAsync(steps, isSender: false);
        await using var client = Broken(spool, 0);
        var other = new SpoolFetcher(client, "spool", "ann", spool.Key("ann"),
            spool.FetcherOptions("ann") with { StateFolder = spool.State("other") });
        var result = await other.FetchAsync(spool.To("other")).WaitAsync(SpoolHarness.Patience);
        if (steps == 0) spool.AssertSame("other");
        Assert.That(result.Failures.Select(failure => failure.Path),
            steps == 1 ? Is.EqualTo(new[] { Path.GetFileName(spool.Job) }) : Is.Empty);
        if (steps > 1) Assert.That(TempFolder.FilesIn(spool.To("other")), Is.Empty);
    }

    [TestCase("")]
    [TestCase("left of an upload")]
    [TestCase("head")]
    [TestCase("head, left of an upload")]
    [TestCase("head, 00000000.tfa")]
    [TestCase("head, confirmed-0-0")]
    [TestCase("head, confirmed-0-0, left of an upload")]
    [TestCase("head, 00000001.tfa, confirmed-0-0, confirmed-1-0")]
    [TestCase("head, 00000000.tfa, 00000001.tfa, end, confirmed-0-0")]
    [TestCase("00000000.tfa, confirmed-0-0")]
    [TestCase("end, confirmed-0-0")]
    public async Task A_job_that_is_being_written_and_what_is_not_surely_left_of_one_is_not_touched(string files)
    {
        using var spool = await ConfirmedAsync(0, isSender: false);
        var job = spool.Job;
        File.WriteAllText(Path.Combine(job, ".transfer-0123456789abcdef-1.part"), "left of an upload");
        var kept = files.Replace("left of an upload", ".transfer-0123456789abcdef-1.part", StringComparison.Ordinal).Split(", ",
            StringSplitOptions.RemoveEmptyEntries);
        foreach (var name in TempFolder.FilesIn(job).Except(kept)) File.Delete(Path.Combine(job, name));
        await spool.SendAsync(["cleo"]);
        Assert.That(Directory.Exists(job));
        Assert.That(TempFolder.FilesIn(job), Is.EquivalentTo(kept));
    }

    [Test]
    public async Task Confirmations_that_are_not_final_say_of_no_job_that_it_is_over()
    {
        using var spool = new SpoolHarness();
        spool.Fill(files: 0, large: 5_000_000);
        await spool.SendAsync(["ann"]);
        File.Delete(spool.Archives[1]);
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.EqualTo(1));
        var job = spool.Job;
        foreach (var name in (string[])["00000000.tfa", "end"]) File.Delete(Path.Combine(job, name));
        await spool.SendAsync(["cleo"]);
        Assert.That(TempFolder.FilesIn(job), Is.EqualTo(new[] { "confirmed-0-0", "head" }));
    }

    [Test]
    public async Task An_end_that_is_not_listed_yet_is_no_end_that_is_gone()
    {
        using var spool = await ConfirmedAsync(int.MaxValue, isSender: false, deltas: true);
        var job = spool.Job;
        var left = TempFolder.FilesIn(job);
        await using var client = new WatchedClient(spool.Root) { Hides = entry => entry.Name == "end" };
        // Another machine, which may not delete what the sender itself wants to read.
        await spool.SendAsync(client, ["cleo"], options => options with { StateFolder = spool.State("other") });
        Assert.That(TempFolder.FilesIn(job), Is.EqualTo(left));
    }

    [Test]
    public async Task What_a_sender_was_killed_at_taking_back_is_not_continued_but_taken_back([Values] bool resume)
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(files: 2500, large: 0);
        using var kill = new CancellationTokenSource();
        var stored = 0;
        await Assert.CatchAsync<OperationCanceledException>(
            () => spool.SendAsync(["ann"], options => options with { Sessions = 1 }, ct: kill.Token,
            items: _ => { if (++stored == 1900) kill.Cancel(); }));
        var broken = spool.Job;
        Assert.That(spool.Archives, Has.Length.GreaterThan(1));
        await using (var client = new WatchedClient(spool.Root)
        {
            OnDelete =
            (path, _) => _ = path.EndsWith("00000001.tfa", StringComparison.Ordinal) ? throw new OperationCanceledException() : true
        })
        {
            await Assert.CatchAsync<OperationCanceledException>(() => spool.SendAsync(client, ["ann"]));
        }

        Assert.That(File.Exists(Path.Combine(broken, "head")));
        Assert.That((await spool.SendAsync(["ann"], options => options with { Resume = resume })).Files, Is.EqualTo(count));
        Assert.That(spool.Jobs, Has.Length.EqualTo(1).And.None.EqualTo(broken));
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
    }

    // The last recipient's own deletion, or if the sender is to delete, nothing of it.
    private static async Task<SpoolHarness> ConfirmedAsync(int steps, bool isSender, bool deltas = false)
    {
        var spool = await SentAsync(deltas);
        await using var client = Broken(spool, isSender ? 0 : steps);
        Assert.That((await spool.FetchAsync(client, "ben")).Failed, Is.Zero);
        spool.AssertSame("ben");
        return spool;
    }

    // The first recipient has it.
    private static async Task<SpoolHarness> SentAsync(bool deltas)
    {
        var spool = new SpoolHarness { Deltas = deltas };
        spool.Fill(files: 0, large: 5_000_000);
        await spool.SendAsync(Both);
        Assert.That(spool.Archives, Has.Length.EqualTo(2));
        await spool.FetchAsync("ann");
        return spool;
    }

    // So many deletions, and none after them. Several are under way at once, and the first that fails cancels the others: that one
    // waits for these.
    private static WatchedClient Broken(SpoolHarness spool, int steps, Func<string, Exception>? error = null)
    {
        error ??= path => new TransferException(TransferError.Denied, $"{path} stays.");
        var left = steps;
        var allowed = new System.Collections.Concurrent.ConcurrentQueue<string>();
        return new WatchedClient(spool.Root)
        {
            OnDelete = (path, _) =>
            {
                if (Interlocked.Decrement(ref left) >= 0)
                {
                    allowed.Enqueue(Path.Combine(spool.Root, path.TrimStart('/')));
                    return;
                }

                SpinWait.SpinUntil(() => allowed.Count >= steps && !allowed.Any(Path.Exists), SpoolHarness.Patience);
                throw error(path);
            },
        };
    }

    private static void AssertLeft(string[] names, int steps)
    {
        Assert.That(names.Count(name => SpoolNames.ArchiveOf(name) is not null), Is.EqualTo(Math.Max(0, 2 - steps)));
        string[] rest = [.. names.Where(name => SpoolNames.ArchiveOf(name) is null)];
        Assert.That(rest, Has.Length.EqualTo(Math.Min(4, 6 - steps)));
        Assert.That((rest.Contains("end"), rest.Contains("head")), Is.EqualTo((steps <= 2, steps <= 3)));
    }
}
