using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Carriers.Spool.Sending;
using Transfer.Batch.Carriers.Spool.Versions;
using Transfer.Batch.Sealing;
using Transfer.Tests.Batch.Direct;

namespace Transfer.Tests.Batch.Spool;

/// <summary>What a spool's two ends hold in memory, however long archives are.</summary>
[Category(Categories.Slow)]
public sealed class SpoolMemoryTests
{
    [TestCase(3_000_000, 2 << 20, Description = "no room for all")]
    [TestCase(9_000_000, 64 << 20, Description = "each too long")]
    [TestCase(700_000, 1000, Description = "no room at all")]
    public async Task Archives_that_find_no_room_wait_in_files_and_are_stored_as_they_are(int length, int bytes)
    {
        using var spool = new SpoolHarness(isShared: true);
        await using var client = spool.Client();
        var state = new SpoolState(spool.State("sender"));
        var (store, logger) = (new SpoolStore(client, "spool", NullLogger.Instance), NullLogger.Instance);
        using var journal = SpoolSenderJournal.Open(state.PathOf("a job", ".spool"));
        using var confirmed = new ConfirmedVersions(new VersionStore(state, TimeProvider.System, logger), logger);
        using var keys = JobKeys.Create(spool.SenderKey.Wrapper);
        var budget = new ByteBudget(bytes);
        using var sending = new SpoolSending(store, spool.SenderKey, journal, versions: null, confirmed, budget, logger);
        var source = new MemorySource(10, length);
        var spilled = 0;
        source.OnWritten = (_, _) =>
        {
            if (Left(spool, "sender").Length > 0) Interlocked.Exchange(ref spilled, 1);
            return Task.CompletedTask;
        };
        var head = new SpoolHead
        {
            Job = keys.Job,
            Commitment = SpoolHead.Commit(keys.Secret!, keys.Job),
            Line = 1,
            Sequence = 1,
            Sent = 1,
            Deadline = 0,
            Sender = null,
            To = spool.Recipients("ann")
        };
        await sending.PutAsync(source, keys, head, lanes: 8, () => { }, default).AsTask().WaitAsync(SpoolHarness.Patience);
        Assert.That(source.Confirmed, Has.Count.EqualTo(10));
        for (var i = 0; i < 10; i++)
        {
            var there = File.ReadAllBytes(spool.Archives[i]);
            Assert.That(there.AsSpan(0, length).SequenceEqual(MemorySource.ContentOf(i, length)));
            Assert.That(journal.Archives[i], Is.EqualTo(SHA256.HashData(there.AsSpan(0, length))));
        }
        Assert.That((budget.Used.Now, spilled), Is.EqualTo((0L, 1)));
        Assert.That(budget.Used.Peak, Is.LessThanOrEqualTo(bytes));
        Assert.That(Left(spool, "sender"), Is.Empty);
    }

    [Test]
    public async Task Large_deltas_go_through_little_memory_and_what_they_wait_in_is_gone()
    {
        using var spool = new SpoolHarness() { Deltas = true };
        for (var i = 0; i < 3; i++) spool.Write($"f{i}", Samples.Bytes(24_000_000, i));
        await spool.SendAsync(["ann"], Little);
        await spool.FetchAsync("ann");
        for (var i = 0; i < 3; i++)
        {
            spool.Write($"f{i}",
                [.. Samples.Bytes(24_000_000, i)[..10_000_000], .. Samples.Bytes(12_000_000, 9),
                .. Samples.Bytes(24_000_000, i)[22_000_000..]]);
        }

        await spool.SendAsync(["ann"], Little);
        Assert.That(spool.Archives.Select(path => new FileInfo(path).Length),
            Has.Exactly(3).Items.And.All.InRange(12_000_000L, 12_100_000L));
        var result = await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always, MaxBufferBytes = 16 << 20 });
        Assert.That(result.Failed, Is.Zero);
        spool.AssertSame("ann");
        Assert.That(Left(spool, "sender").Concat(Left(spool, "ann")), Is.Empty);

        static Transfer.Batch.SpoolSenderOptions Little(Transfer.Batch.SpoolSenderOptions options) =>
            options with { MaxBufferBytes = 16 << 20 };
    }

    [Test]
    public async Task Where_an_archive_finds_no_place_to_wait_the_job_says_so()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", [1]);
        var held = new HeldArchive(Path.Join(spool.From, "no", "folder"), new ByteBudget(0));
        await using var heldEnd = held;
        var error = await Assert.ThrowsAsync<TransferException>(async () => await held.WriteAsync(new byte[1]));
        Assert.That(error!.Message, Does.Contain(Path.Join(spool.From, "no", "folder")));
    }

    [Test]
    public async Task What_has_got_its_name_with_the_answer_lost_is_compared_byte_for_byte([Values] bool isOurs)
    {
        using var spool = new SpoolHarness();
        await using var client = spool.Client();
        var store = new SpoolStore(client, "spool", NullLogger.Instance);
        var job = JobId.New();
        await store.CreateAsync(job, default);
        var content = Samples.Bytes(100_000);
        await store.WriteAsync(job, "a", content, default);
        if (!isOurs) content[^1]++;
        Assert.That(async () => await store.TryWriteNewAsync(job, "a", content, default), isOurs ? Is.True : Is.False);
    }

    private static string[] Left(SpoolHarness spool, string name) =>
        [.. Directory.GetFiles(spool.State(name)).Where(
            path => Path.GetFileName(path) is var file && (file.Contains(".spool.") || file.Contains(".job.")))];
}
