using System.Buffers.Binary;
using Transfer.Batch;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>Spools whose senders and recipients have agreed on a passphrase.</summary>
public sealed class SpoolPassphraseTests
{
    private const string Phrase = "open sesame";

    [Test]
    public async Task Whoever_has_the_passphrase_has_the_job([Values] bool isWatched)
    {
        using var spool = new SpoolHarness(SpoolKey.FromPassphrase(Phrase, 10));
        spool.Fill();
        await spool.SendAsync(["ann", "ben"]);
        var header = Header(spool);
        Assert.That(header.Wraps.Select(wrap => wrap.Kind), Is.EqualTo(new[] { KeyWrapKind.Passphrase }));
        foreach (var name in (string[])["ann", "ben"])
        {
            using var own = SpoolKey.FromPassphrase(Phrase, 10);
            await using var client = spool.Client();
            var fetcher = new SpoolFetcher(client, "spool", name, own, spool.FetcherOptions(name) with { Wait = isWatched });
            Assert.That((await fetcher.FetchAsync(spool.To(name)).WaitAsync(SpoolHarness.Patience)).Failed, Is.Zero);
            spool.AssertSame(name);
        }
        Assert.That(spool.Jobs, Is.Empty, "who shares a passphrase can believe the other's confirmation");
    }

    [Test]
    public async Task Jobs_come_in_their_order_and_a_later_one_sends_what_has_changed()
    {
        using var spool = new SpoolHarness(SpoolKey.FromPassphrase(Phrase, 10)) { Deltas = true };
        var content = Samples.Bytes(300_000);
        for (var i = 0; i < 3; i++)
        {
            content[1000]++;
            spool.Write("large", content);
            await spool.SendAsync(["ann"]);
            Assert.That(spool.Archives.Sum(path => new FileInfo(path).Length), i == 0 ? Is.GreaterThan(300_000) : Is.LessThan(30_000));
            Assert.That((await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always })).Failed, Is.Zero);
            spool.AssertSame("ann");
        }
    }

    [Test]
    public async Task A_job_that_was_broken_off_is_continued()
    {
        using var spool = new SpoolHarness(SpoolKey.FromPassphrase(Phrase, 10));
        spool.Fill(files: 2500, large: 0);
        await using var client = new WatchedClient(spool.Root);
        using var stop = new CancellationTokenSource();
        var ended = false;
        var items = new SpoolHarness.Relay(_ => { if (!ended) stop.Cancel(); ended = true; });
        await Assert.CatchAsync<OperationCanceledException>(
            () => spool.SendAsync(client, ["ann"], options => options with { Sessions = 1 }, ct: stop.Token, items: items.Report));
        Assert.That((await spool.SendAsync(["ann"], options => options with { Resume = true })).Failed, Is.Zero);
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
    }

    [TestCase("another passphrase")]
    [TestCase("more rounds than anybody does")]
    public async Task What_does_not_open_is_left_alone_and_told_of_where_nothing_else_does(string what)
    {
        using var spool = new SpoolHarness(SpoolKey.FromPassphrase(Phrase, 10));
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann"]);
        if (what != "another passphrase")
        {
            var path = Path.Combine(spool.Job, "head");
            var bytes = File.ReadAllBytes(path);
            // The first wrap's rounds: behind the fixed fields, its kind and its length.
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(104 + 3), 1_000_000_000);
            File.WriteAllBytes(path, bytes);
        }
        using var own = SpoolKey.FromPassphrase(what == "another passphrase" ? "open barley" : Phrase, 10);
        await using var client = spool.Client();
        var error = await Assert.CatchAsync<TransferException>(
            () => new SpoolFetcher(client, "spool", "ann", own, spool.FetcherOptions("ann")).FetchAsync(spool.To("ann"))
            .WaitAsync(SpoolHarness.Patience));
        Assert.That((error!.Error, error.Message.Contains("another passphrase", StringComparison.Ordinal), spool.Jobs.Length),
            Is.EqualTo((TransferError.Auth, true, 1)));
        Assert.That(Directory.Exists(spool.To("ann")), Is.False);
    }

    [Test]
    public async Task A_passphrase_that_has_opened_something_is_right_whatever_others_seal_with_theirs()
    {
        using var spool = new SpoolHarness(SpoolKey.FromPassphrase(Phrase, 10));
        await SendWithAnotherAsync(spool);
        var warnings = new List<string>();
        SpoolFetcherOptions Telling(SpoolFetcherOptions options) =>
            options with { LoggerFactory = new Engine.LogEvents(["SpoolOtherPassphrase"], warnings.Add) };
        await Assert.CatchAsync<TransferException>(() => spool.FetchAsync("ann", Telling));
        Assert.That(warnings, Is.Empty, "the error says it");
        // For somebody else, but with it.
        await spool.SendAsync(["ben"]);
        Assert.That((await spool.FetchAsync("ann", Telling).Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound));
        Assert.That((await spool.FetchAsync("ben")).Files, Is.EqualTo(1));
        Assert.That(spool.Jobs, Has.Length.EqualTo(1), "only the others' is left");
        Assert.That((await spool.FetchAsync("ann", Telling)).Failed, Is.Zero);
        Assert.That(warnings, Has.Count.EqualTo(2));
    }

    [Test]
    public async Task Who_waits_is_only_warned_as_the_first_job_may_come_yet()
    {
        using var spool = new SpoolHarness(SpoolKey.FromPassphrase(Phrase, 10));
        await SendWithAnotherAsync(spool);
        var warned = new TaskCompletionSource();
        var waiting = spool.FetchAsync("ann",
            options =>
            options with { Wait = true, LoggerFactory = new Engine.LogEvents(["SpoolOtherPassphrase"], _ => warned.TrySetResult()) });
        await warned.Task.WaitAsync(SpoolHarness.Patience);
        await spool.SendAsync(["ann"]);
        Assert.That((await waiting).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task A_job_that_was_confirmed_is_not_opened_again()
    {
        using var spool = new SpoolHarness(SpoolKey.FromPassphrase(Phrase, 10));
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann", "ben"]);
        await using var client = new WatchedClient(spool.Root);
        var heads = 0;
        client.OnRead = path =>
        {
            if (path.EndsWith("/head", StringComparison.Ordinal)) heads++;
            return Task.CompletedTask;
        };
        for (var i = 0; i < 2; i++)
        {
            Assert.That((await spool.FetchAsync(client, "ann")).Failed, Is.Zero);
            Assert.That(heads, Is.EqualTo(1));
        }
    }

    [Test]
    public async Task A_passphrase_has_a_name_of_its_own_in_each_state()
    {
        using var folder = new TempFolder();
        var (state, other) = (new SpoolState(folder["state"]), new SpoolState(folder["other"]));
        using var key = SpoolKey.FromPassphrase(Phrase, 10);
        using var same = SpoolKey.FromPassphrase(Phrase, 10);
        using var another = SpoolKey.FromPassphrase("open barley", 10);
        var name = await key.NameAsync(state, TimeProvider.System, default);
        Assert.That(await same.NameAsync(state, TimeProvider.System, default), Is.EqualTo(name));
        Assert.That(await another.NameAsync(state, TimeProvider.System, default), Is.Not.EqualTo(name));
        Assert.That(await key.NameAsync(other, TimeProvider.System, default), Is.Not.EqualTo(name));
        Assert.That(await key.NameAsync(state, TimeProvider.System, default), Is.EqualTo(name));
    }

    private static ArchiveHeader Header(SpoolHarness spool)
    {
        var bytes = File.ReadAllBytes(Path.Combine(spool.Job, "head"));
        return ArchiveHeader.Parse(bytes.AsSpan(0, ArchiveHeader.LengthOf(bytes)));
    }

    private static async Task SendWithAnotherAsync(SpoolHarness spool)
    {
        using var others = SpoolKey.FromPassphrase("open barley", 10);
        await using var client = spool.Client();
        spool.Write("a", "content"u8.ToArray());
        await new SpoolSender(client, "spool", others, spool.SenderOptions).SendAsync(spool.From, spool.Recipients("ann"));
    }
}
