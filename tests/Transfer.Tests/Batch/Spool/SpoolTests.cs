using Transfer.Batch;
using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>Folders through a spool, as an application sends and fetches them.</summary>
[Category(Categories.Slow)]
public sealed class SpoolTests
{
    [Test]
    public async Task What_is_sent_once_is_fetched_by_each_recipient_and_deleted_by_the_last([Values] bool isShared)
    {
        using var spool = new SpoolHarness(isShared);
        var count = spool.Fill();
        var sent = await spool.SendAsync(["ann", "ben"]);
        Assert.That((sent.Files, sent.Failed), Is.EqualTo(((long)count, 0L)));
        Assert.That(TempFolder.FilesIn(spool.Job), Has.Some.EqualTo("head").And.Some.EqualTo("end").And.Some.EqualTo("00000000.tfa"));

        var ann = await spool.FetchAsync("ann");
        Assert.That((ann.Files, ann.Bytes, ann.Failed), Is.EqualTo((sent.Files, sent.Bytes, 0L)));
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Has.Length.EqualTo(1), "the other one has not had it yet");
        Assert.That((await spool.FetchAsync("ann")).Files, Is.Zero, "once is enough");

        Assert.That((await spool.FetchAsync("ben")).Files, Is.EqualTo(count));
        spool.AssertSame("ben");
        Assert.That(spool.Jobs, Is.Empty);
        Assert.That(TempFolder.FilesIn(spool.State("sender")), Has.All.EndsWith(".number"), "nothing is under way any more");
    }

    [Test]
    public async Task Nothing_that_is_sent_can_be_read_in_the_store()
    {
        using var spool = new SpoolHarness();
        spool.Write("private-name.txt", [.. Enumerable.Repeat("a secret line\n"u8.ToArray(), 1000).SelectMany(line => line)]);
        await spool.SendAsync(["recipient-name"]);
        foreach (var file in Directory.GetFiles(spool.Job))
        {
            var bytes = File.ReadAllBytes(file);
            Assert.That(bytes.AsSpan().IndexOf("private-name"u8), Is.Negative);
            Assert.That(bytes.AsSpan().IndexOf("secret"u8), Is.Negative);
            Assert.That(bytes.AsSpan().IndexOf("recipient-name"u8), Is.Negative);
        }
    }

    [Test]
    public async Task Over_FTP_five_recipients_have_it_from_one_upload()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(large: 6_000_000);
        await using var server = await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(spool.Root)) });
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });
        string[] names = ["ann", "ben", "cleo", "dan", "eve"];
        var sent = await spool.SendAsync(client, names, options => options with { Compress = false });
        var stored = Directory.GetFiles(spool.Job).Sum(file => new FileInfo(file).Length);
        Assert.That(stored, Is.InRange(sent.Bytes, sent.Bytes + sent.Bytes / 10), "the content is there once");
        var uploads = server.Commands.Count(command => command.Verb == "STOR");
        Assert.That(uploads, Is.EqualTo(Directory.GetFiles(spool.Job).Length), "and went there once");

        await Task.WhenAll(names.Select(name => spool.FetchAsync(client, name)));
        foreach (var name in names) spool.AssertSame(name);
        Assert.That(spool.Items.Count(item => item.Error is null), Is.EqualTo(6 * count));
        var confirmations = server.Commands.Where(command => command.Verb == "STOR").Skip(uploads).ToList();
        Assert.That(confirmations, Has.Count.GreaterThanOrEqualTo(5).And.Count.LessThan(20));
        await spool.SendAsync(client, ["ann"]);
        Assert.That(spool.Jobs, Has.Length.EqualTo(1), "if two were last at once, the sender's next run deletes it");
    }

    [Test]
    public async Task What_is_there_is_fetched_while_later_archives_are_still_being_sent()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(files: 1100, large: 0);
        var first = new TaskCompletionSource();
        var fetched = new TaskCompletionSource();
        var stored = 0;
        var fetching = Task.Run(async () =>
        {
            await first.Task;
            return await spool.FetchAsync("ann", options => options with { Patience = TimeSpan.FromSeconds(30) },
                items: _ => fetched.TrySetResult());
        });
        // The sender goes on when something of its first archive has arrived.
        var sent = await spool.SendAsync(["ann"], options => options with { Sessions = 1 }, items: _ =>
        {
            if (Interlocked.Increment(ref stored) != 900) return;
            first.SetResult();
            fetched.Task.Wait(SpoolHarness.Patience);
        });
        Assert.That(fetched.Task.IsCompletedSuccessfully);
        Assert.That((sent.Files, (await fetching.WaitAsync(SpoolHarness.Patience)).Files), Is.EqualTo(((long)count, (long)count)));
        spool.AssertSame("ann");
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task Who_waits_gets_the_next_job_and_is_not_disturbed_by_an_unfinished_one()
    {
        using var spool = new SpoolHarness();
        using var stop = new CancellationTokenSource();
        var waiting = spool.FetchAsync("ann", options => options with { Wait = true });
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann"]);
        Assert.That((await waiting).Files, Is.EqualTo(1));
        spool.AssertSame("ann");

        await spool.SendAsync(["ann"]);
        File.Delete(Path.Combine(spool.Job, "end"));
        waiting = spool.FetchAsync("ann", options => options with { Wait = true, Overwrite = OverwriteMode.Always }, ct: stop.Token);
        while (!spool.Items.Any(item => item.Path == "a" && item.Error is null)) await Task.Delay(10);
        await Task.Delay(300);
        Assert.That(waiting.IsCompleted, Is.False);
        await stop.CancelAsync();
        await Assert.CatchAsync<OperationCanceledException>(() => waiting);
    }

    [Test]
    public async Task An_empty_spool_and_a_folder_without_files_are_no_errors()
    {
        using var spool = new SpoolHarness();
        Assert.That((await spool.FetchAsync("ann")).Files, Is.Zero);
        Assert.That((await spool.SendAsync(["ann"])).Files, Is.Zero);
        Assert.That(spool.Jobs, Is.Empty);
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
    }

    [Test]
    public async Task Jobs_of_one_sender_come_in_the_order_in_which_they_were_sent()
    {
        using var spool = new SpoolHarness();
        for (var i = 0; i < 5; i++)
        {
            spool.Write("a", [(byte)i]);
            await spool.SendAsync(["ann"]);
        }
        Assert.That(spool.Jobs, Has.Length.EqualTo(5));
        Assert.That((await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always })).Files, Is.EqualTo(5));
        Assert.That(File.ReadAllBytes(Path.Combine(spool.To("ann"), "a")), Is.EqualTo(new byte[] { 4 }));
        Assert.That(spool.Jobs, Is.Empty);
    }

    [Test]
    public async Task The_senders_next_run_deletes_what_all_have_confirmed()
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "1"u8.ToArray());
        await spool.SendAsync(["ann", "ben"]);
        var job = spool.Job;
        await spool.FetchAsync("ann");
        // The last recipient's listing is late: it does not know that it is the last.
        await using (var client = new WatchedClient(spool.Root)
        { Hides = entry => entry.Name.StartsWith("confirmed-0", StringComparison.Ordinal) })
        {
            await spool.FetchAsync(client, "ben");
        }

        Assert.That(spool.Jobs, Is.EqualTo(new[] { job }));
        await spool.SendAsync(["ann", "ben"]);
        Assert.That(spool.Jobs, Has.Length.EqualTo(1).And.None.EqualTo(job));
    }

    [Test]
    public async Task Archives_are_as_large_as_the_sender_wants_them()
    {
        using var spool = new SpoolHarness();
        spool.Write("large", Samples.Bytes(300_000));
        for (var i = 0; i < 20; i++) spool.Write($"small{i}", new byte[10]);
        await spool.SendAsync(["ann"], options => options with { ArchiveBytes = 100_000, ArchiveFiles = 5 });
        var lengths = spool.Archives.Select(path => new FileInfo(path).Length).ToList();
        Assert.That(lengths, Has.Count.InRange(7, 8), "three slices, and five files each");
        Assert.That(lengths.Max(), Is.InRange(100_000, 103_000));
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        spool.AssertSame("ann");
    }

    [Test]
    public async Task Who_asks_for_what_makes_no_sense_is_told_so()
    {
        using var spool = new SpoolHarness();
        using var shared = SpoolKey.CreateShared();
        await using var client = spool.Client();
        var sender = new SpoolSender(client, "spool", spool.SenderKey, spool.SenderOptions);
        await Assert.ThrowsAsync<ArgumentException>(() => sender.SendAsync(spool.From, []));
        await Assert.ThrowsAsync<ArgumentException>(() => sender.SendAsync(spool.From, [new SpoolRecipient("ann")]));
        await Assert.ThrowsAsync<ArgumentException>(() => sender.SendAsync(spool.From, spool.Recipients("ann", "ann")));
        await Assert.ThrowsAsync<ArgumentException>(() => sender.SendAsync(spool.From, spool.Recipients("a\nb")));
        var error = await Assert.CatchAsync<TransferException>(() => sender.SendAsync(spool.From + "-not-there", spool.Recipients("ann")));
        Assert.That(error!.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(() => new SpoolFetcher(client, "spool", "ann", spool.Key("ann"), spool.FetcherOptions("ann") with { Senders = [] }),
            Throws.ArgumentException);
        Assert.That(() => new SpoolSender(client, "spool", spool.SenderKey, spool.SenderOptions with { Deadline = TimeSpan.MaxValue }),
            Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(
            () => new SpoolFetcher(client, "spool", "ann", spool.Key("ann"),
            spool.FetcherOptions("ann") with { Patience = TimeSpan.MaxValue }), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(
            () => new SpoolFetcher(client, "spool", "ann", spool.Key("ann"),
            spool.FetcherOptions("ann") with { PollInterval = TimeSpan.MaxValue }), Throws.InstanceOf<ArgumentOutOfRangeException>());
        foreach (var bad in (SpoolSenderOptions[])[spool.SenderOptions with { ArchiveBytes = 65_535 },
            spool.SenderOptions with { ArchiveBytes = 67_108_865 }, spool.SenderOptions with { ArchiveFiles = 0 },
            spool.SenderOptions with { ArchiveFiles = 10_001 }])
        {
            Assert.That(() => new SpoolSender(client, "spool", spool.SenderKey, bad),
                Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("An archive has"));
        }

        Assert.That(() => new SpoolFetcher(client, "spool", "ann", shared, spool.FetcherOptions("ann")), Throws.ArgumentException);
    }
}
