using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Engine.Journal;

/// <summary>
/// Copies between two servers that are broken off and go on: neither end moves again what has arrived, and nothing is put together of two
/// files.
/// </summary>
[Category(Categories.Slow)]
public sealed class CopyResumeTests
{
    private const int Length = (20 << 20) + 12_345;

    // Of the 18 MiB that go before the network does.
    private const int Kept = 6 << 20;

    private const int Tail = 64 << 10;

    private readonly byte[] _content = Samples.Bytes(Length);
    private SegmentServer _from = null!;
    private TempFolder _folder = null!;

    private UploadOptions Begin => new() { Journal = Path.Join(_folder.Path, "job.journal"), Overwrite = OverwriteMode.Always };

    private UploadOptions Again => Begin with { Resume = true };

    [SetUp]
    public void Fill()
    {
        _folder = new TempFolder();
        _from = new SegmentServer { Time = new SwiftTime() };
        _from.Store.AddFile("/f", _content, Samples.Time);
    }

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [TestCase(1)]
    [TestCase(4)]
    public async Task A_large_file_goes_on_where_it_was(int sessions)
    {
        var to = Server();
        await BreakOffAsync(to, sessions);
        Assert.That(to.Store.Temporaries, Has.Count.EqualTo(1), "the beginning is kept");

        var result = await CopyAsync(to, sessions, Again);

        Assert.That(result.Bytes, Is.EqualTo((long)Length));
        AssertWhole(to, _content);
        Assert.That(Moved(to), Is.LessThan(Length - Kept));
        Assert.That(Moved(_from), Is.LessThan(Length - Kept));
        Assert.That(File.Exists(Begin.Journal), Is.False, "there is nothing left to continue");
    }

    [Test]
    public async Task So_does_one_of_a_folder_and_the_files_that_have_arrived_are_not_sent_again()
    {
        for (var i = 0; i < 20; i++) _from.Store.AddFile($"/s/{i}", Samples.Bytes(2000, i), Samples.Time);
        _from.Store.AddFile("/s/large", _content, Samples.Time);
        var to = Server();
        var begin = new DirectoryOptions { Journal = Begin.Journal };
        await using var source = _from.Client(3);
        await ResumeTests.BreakOffAsync(to, client => source.CopyDirectoryAsync("/s", client, "/t", begin), 3);
        Forget(to);

        await using var target = to.Client(3);
        var progress = new Collected<TransferProgress>();
        var result = await source.CopyDirectoryAsync("/s", target, "/t", begin with { Resume = true }, progress).Soon();

        Assert.That((result.Files + result.Skipped, result.Failed), Is.EqualTo((21L, 0L)));
        Assert.That(to.Store["/t/large"]!.Content.AsSpan().SequenceEqual(_content));
        for (var i = 0; i < 20; i++) Assert.That(to.Store[$"/t/{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(2000, i)), $"{i}");
        Assert.That(Moved(_from), Is.LessThan(Length - Kept));
        Assert.That(progress.Values[^1].Bytes, Is.EqualTo(result.Bytes), "what was there counts as done");
        Assert.That(to.Store.Temporaries, Is.Empty);
    }

    [TestCase(2)]
    [TestCase(5)]
    public async Task Within_one_client_the_look_at_what_is_there_waits_for_no_session_that_waits_for_it(int sessions)
    {
        for (var i = 0; i < 40; i++) _from.Store.AddFile($"/s/{i}", Samples.Bytes(200_000, i), Samples.Time);
        _from.Store.AddFile("/s/large", _content, Samples.Time);
        var begin = new DirectoryOptions { Journal = Begin.Journal };
        await ResumeTests.BreakOffAsync(_from, client => client.CopyDirectoryAsync("/s", client, "/t", begin), sessions, after: 36 << 20);

        await using var client = _from.Client(sessions);
        var result = await client.CopyDirectoryAsync("/s", client, "/t", begin with { Resume = true }).Soon();

        Assert.That((result.Files + result.Skipped, result.Failed), Is.EqualTo((41L, 0L)));
        Assert.That(_from.Store["/t/large"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(_from.Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task Cancelled_when_some_of_its_parts_had_arrived_it_goes_on_too()
    {
        var to = Server();
        using var cancel = new CancellationTokenSource();
        var moved = 0L;
        to.BeforeChunk = (_, _) =>
        {
            if (Interlocked.Add(ref moved, 64 << 10) > 18 << 20) cancel.Cancel();
            return Task.CompletedTask;
        };
        await using var source = _from.Client(4);
        await using (var target = to.Client(4))
        {
            await source.CopyFileAsync("/f", target, "/g", Begin with { Segments = 4 },
                cancellationToken: cancel.Token).Failure<OperationCanceledException>();
        }

        to.BeforeChunk = (_, _) => Task.CompletedTask;
        Forget(to);

        await CopyAsync(to, 4, Again);

        AssertWhole(to, _content);
        Assert.That(Moved(_from), Is.LessThan(Length - Kept));
    }

    [Test]
    public async Task A_source_over_FTP_is_asked_for_what_is_missing_and_for_the_ends_of_what_is_there()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { MaxSessions = 3 });
        ftp.Store.AddFile("/f", _content);
        var to = Server();
        await ResumeTests.BreakOffAsync(to, client => ftp.Client.CopyFileAsync("/f", client, "/g", Begin), 3);
        Forget(to);
        var before = ftp.Work.Count;

        await using var target = to.Client(3);
        await ftp.Client.CopyFileAsync("/f", target, "/g", Again).Soon();

        AssertWhole(to, _content);
        Assert.That(Moved(to), Is.LessThan(Length - Kept));
        var work = ftp.Work.Skip(before).ToArray();
        Assert.That(work.Count(c => c.Verb == "RETR"), Is.EqualTo(work.Count(c => c.Verb is "REST" or "RANG")), "none from the beginning");
    }

    [Test]
    public async Task A_target_over_FTP_goes_on_at_the_end_of_what_it_has()
    {
        await using var ftp = await FtpHarness.StartAsync();
        var begun = await BreakOffAsync(ftp);

        await CopyAsync(ftp);

        Assert.That(ftp.Store.ReadFile("/g").AsSpan().SequenceEqual(_content));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/g" }));
        Assert.That(Moved(_from), Is.LessThan(Length - Kept));
        Assert.That(ftp.Work.Last(c => c.Verb == "STOR").Argument, Is.EqualTo(begun));
    }

    [Test]
    public async Task A_source_that_changed_starts_over()
    {
        var to = Server();
        await BreakOffAsync(to, 2);
        var changed = Samples.Bytes(Length, seed: 9);
        _from.Store.AddFile("/f", changed, Samples.Time.AddMinutes(1));

        await CopyAsync(to, 2, Again);

        AssertWhole(to, changed);
        Assert.That(Moved(_from), Is.EqualTo((long)Length));
    }

    [Test]
    public async Task What_is_not_at_the_target_as_it_was_sent_starts_over()
    {
        var to = Server();
        await BreakOffAsync(to, 2);
        foreach (ref var some in to.Store[to.Store.Temporaries.Single()]!.Content.AsSpan()) some ^= 1;

        await CopyAsync(to, 2, Again);

        AssertWhole(to, _content);
        Assert.That(to.Ranges.Where(range => range.End - range.Start > Tail).Sum(range => range.End - range.Start),
            Is.EqualTo((long)Length));
    }

    [Test]
    public async Task Over_FTP_it_starts_over_too([Values] bool changed)
    {
        await using var ftp = await FtpHarness.StartAsync();
        var begun = await BreakOffAsync(ftp);
        var content = changed ? Samples.Bytes(Length, seed: 9) : _content;
        if (changed) _from.Store.AddFile("/f", content, Samples.Time.AddMinutes(1));
        else ftp.Store.AddFile(begun, [.. ftp.Store.ReadFile(begun).Select(some => (byte)(some ^ 1))]);

        await CopyAsync(ftp);

        Assert.That(ftp.Store.ReadFile("/g").AsSpan().SequenceEqual(content));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/g" }));
        Assert.That(Moved(_from), Is.GreaterThanOrEqualTo((long)Length));
    }

    [Test]
    public async Task A_source_that_is_replaced_while_the_rest_is_read_gives_no_file()
    {
        var to = Server();
        await BreakOffAsync(to, 2);
        ReplaceAtRest(Length);

        var error = await CopyAsync(to, 2, Again).Failure<TransferException>();

        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(to.Store.Files, Is.Empty);
    }

    [TestCase(Length)]
    [TestCase(Length - 1000)]
    [TestCase(Length + 1000)]
    public async Task Nor_does_it_over_FTP_where_the_session_gives_it_its_name(int length)
    {
        await using var ftp = await FtpHarness.StartAsync();
        await BreakOffAsync(ftp);
        ReplaceAtRest(length);

        var error = await CopyAsync(ftp).Failure<TransferException>();

        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(ftp.Store.Files, Is.Empty);
    }

    [Test]
    public async Task One_whose_target_is_lost_goes_on_in_ranges_but_not_where_the_source_is_not_up_to_them([Values] bool refuses)
    {
        var to = Server();
        var undivided = false;
        var afterwards = 0;
        _from.BeforeChunk = (item, offset) =>
        {
            if (refuses && item.Offset > 0)
            {
                if (undivided) afterwards++;
                throw new TransferException(TransferError.Unsupported, "scripted: no offsets");
            }
            if (offset == 10 << 20 && !undivided && item is { Offset: 0, IsSegment: false })
            {
                undivided = true;
                to.Store.Faults.CutAtByte(1 << 20);
            }
            return Task.CompletedTask;
        };
        await using var source = _from.Client(2);
        await using var target = to.Client(2);
        // In one piece because of that, or because nobody asked for more.
        await source.CopyFileAsync("/f", target, "/g", Begin with { Segments = refuses ? 2 : 1 }).Soon();

        AssertWhole(to, _content);
        Assert.That(undivided);
        Assert.That(afterwards, Is.Zero);
        Assert.That(Moved(to), refuses ? Is.GreaterThan(Length + (9 << 20)) : Is.LessThan(Length + (2 << 20)));
    }

    private static SegmentServer Server() => new() { Time = new SwiftTime() };

    private async Task BreakOffAsync(SegmentServer to, int sessions)
    {
        await using var source = _from.Client(sessions);
        await ResumeTests.BreakOffAsync(to, client => source.CopyFileAsync("/f", client, "/g", Begin), sessions);
        Forget(to);
    }

    private async Task<TransferResult> CopyAsync(SegmentServer to, int sessions, UploadOptions options)
    {
        await using var source = _from.Client(sessions);
        await using var target = to.Client(sessions);
        return await source.CopyFileAsync("/f", target, "/g", options).Soon();
    }

    // Nothing comes any more, in no attempt; gives the name of what is there.
    private async Task<string> BreakOffAsync(FtpHarness ftp)
    {
        ftp.Server.Faults.CutData(18 << 20, "STOR", times: 99);
        ftp.Server.Faults.DropConnection("STOR", executed: true, times: 99);
        await using var source = _from.Client(2);
        await source.CopyFileAsync("/f", ftp.Client, "/g", Begin).Failure<TransferException>();
        ftp.Server.Faults.Clear();
        _from.Ranges.Clear();
        return ftp.Store.Files.Single();
    }

    private async Task<TransferResult> CopyAsync(FtpHarness ftp)
    {
        await using var source = _from.Client(2);
        return await source.CopyFileAsync("/f", ftp.Client, "/g", Again).Soon();
    }

    // The look at what is there reads no more than its end.
    private void ReplaceAtRest(int length)
    {
        var replaced = 0;
        _from.BeforeChunk = (item, _) =>
        {
            if (item.End - item.Offset > Tail && Interlocked.Exchange(ref replaced, 1) == 0)
                _from.Store.AddFile("/f", Samples.Bytes(length, seed: 9), Samples.Time.AddMinutes(1));
            return Task.CompletedTask;
        };
    }

    private void Forget(SegmentServer to)
    {
        _from.Ranges.Clear();
        to.Ranges.Clear();
    }

    private static long Moved(SegmentServer server)
    {
        lock (server.Ranges) return server.Ranges.Sum(range => range.End - range.Start);
    }

    private static void AssertWhole(SegmentServer to, byte[] content)
    {
        Assert.That(to.Store["/g"]!.Content.AsSpan().SequenceEqual(content));
        Assert.That(to.Store.Files, Is.EqualTo(new[] { "/g" }));
    }
}
