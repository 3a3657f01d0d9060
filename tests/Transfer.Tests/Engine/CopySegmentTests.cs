using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Engine;

/// <summary>One large file from server to server over several sessions at both ends.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class CopySegmentTests
{
    private const int Length = (9 << 20) + 12_345;

    private readonly byte[] _content = Samples.Bytes(Length);
    private readonly SegmentServer _from = new();

    [SetUp]
    public void Fill() => _from.Store.AddFile("/f", _content, Samples.Time);

    [Test]
    public async Task Each_segment_goes_from_a_session_of_the_source_to_one_of_the_target_and_the_file_is_published_whole()
    {
        var to = new SegmentServer { Together = 4 };
        await using var source = _from.Client(4);
        await using var target = to.Client(4);
        var progress = new Collected<TransferProgress>();

        var result = await source.CopyFileAsync("/f", target, "/d/g", new() { CreateDirectories = true, Segments = 4 }, progress).Soon();

        Assert.That((result.Bytes, result.Verified, result.Attempts), Is.EqualTo(((long)Length, VerificationMode.Size, 1)));
        Assert.That(to.Store["/d/g"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(to.Store["/d/g"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That(to.Store.Files, Has.Count.EqualTo(1));
        Assert.That(to.Ranges, Has.Count.GreaterThanOrEqualTo(4));
        Assert.That(_from.Ranges.Count(range => range.Start > 0), Is.GreaterThanOrEqualTo(3));
        Assert.That(progress.Values[^1].Bytes, Is.EqualTo((long)Length));
    }

    [Test]
    public async Task A_source_over_FTP_is_read_in_ranges_and_one_that_ignores_offsets_is_found_out([Values] bool ignores)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { MaxSessions = 3 });
        ftp.Store.AddFile("/f", _content);
        if (ignores)
        {
            ftp.Server.Faults.Reply("RANG", "350 yes", times: 99);
            ftp.Server.Faults.Reply("REST", "350 yes", times: 99);
        }
        var to = new SegmentServer { Together = 3 };
        await using var target = to.Client(3);

        var result = await ftp.Client.CopyFileAsync("/f", target, "/g", new() { Segments = 3 }).Soon();

        Assert.That((result.Bytes, result.Attempts), Is.EqualTo(((long)Length, ignores ? 2 : 1)));
        Assert.That(to.Store["/g"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(to.Store.Files, Has.Count.EqualTo(1));
        Assert.That(to.Ranges, Has.Count.GreaterThanOrEqualTo(3));
    }

    [Test]
    public async Task In_a_folder_the_large_file_is_divided_and_the_others_go_beside_it()
    {
        for (var i = 0; i < 20; i++) _from.Store.AddFile($"/s/{i}", Samples.Bytes(2000, i));
        _from.Store.AddFile("/s/large", _content);
        var to = new SegmentServer();
        await using var source = _from.Client(3);
        await using var target = to.Client(3);

        var result = await source.CopyDirectoryAsync("/s", target, "/t", new() { Segments = 3 }).Soon();

        Assert.That((result.Files, result.Failed, result.Retries), Is.EqualTo((21L, 0L, 0)));
        Assert.That(to.Store["/t/large"]!.Content.AsSpan().SequenceEqual(_content));
        for (var i = 0; i < 20; i++) Assert.That(to.Store[$"/t/{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(2000, i)), $"{i}");
        Assert.That(to.Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task Within_one_client_whose_sessions_both_ends_share_it_goes_in_one_piece()
    {
        await using var client = _from.Client(4);
        var result = await client.CopyFileAsync("/f", client, "/g", new() { Segments = 4 }).Soon();
        Assert.That(result.Bytes, Is.EqualTo(Length));
        Assert.That(_from.Store["/g"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(_from.Store.Files, Is.EqualTo(new[] { "/f", "/g" }));
        Assert.That(_from.Ranges, Is.EqualTo(new[] { (0L, (long)Length), (0L, (long)Length) }));
    }

    [Test]
    public async Task A_source_with_one_session_gives_one_segment_after_the_other()
    {
        var to = new SegmentServer();
        await using var source = _from.Client(4);
        _from.Store.SessionLimit = 1;
        await using var target = to.Client(4);
        await source.CopyFileAsync("/f", target, "/g", new() { Segments = 4 }).Soon();
        Assert.That(to.Store["/g"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(to.Store.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task A_session_that_is_lost_on_either_side_costs_its_segment_only([Values] bool atSource)
    {
        var to = new SegmentServer { Together = 2 };
        (atSource ? _from : to).Store.Faults.CutAtByte(5 << 20);
        await using var source = _from.Client(2);
        await using var target = to.Client(2);
        var result = await source.CopyFileAsync("/f", target, "/g", new() { Segments = 2 }).Soon();
        Assert.That(result.Attempts, Is.EqualTo(2));
        Assert.That(to.Store["/g"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(to.Store.Files, Has.Count.EqualTo(1));
        Assert.That(to.Ranges.Sum(range => range.End - range.Start), Is.LessThan(2 * Length), "not all of it again");
    }

    [Test]
    public async Task A_source_that_refuses_offsets_gives_the_file_in_one_piece()
    {
        var to = new SegmentServer { Together = 2 };
        _from.BeforeChunk = (item, _) =>
            item.Offset > 0 ? throw new TransferException(TransferError.Unsupported, "scripted: no offsets") : Task.CompletedTask;
        await using var source = _from.Client(2);
        await using var target = to.Client(2);
        await source.CopyFileAsync("/f", target, "/g", new() { Segments = 2 }).Soon();
        Assert.That(to.Store["/g"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(to.Store.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task A_source_that_was_replaced_meanwhile_is_not_put_together_from_old_and_new()
    {
        var to = new SegmentServer { Together = 2 };
        to.BeforeChunk = (_, offset) =>
        {
            if (offset > 6 << 20) _from.Store.AddFile("/f", Samples.Bytes(Length, 2), Samples.Time.AddMinutes(1));
            return Task.CompletedTask;
        };
        await using var source = _from.Client(2);
        await using var target = to.Client(2);
        var error = await source.CopyFileAsync("/f", target, "/g", new() { Segments = 2 }).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(to.Store.Files, Is.Empty);
    }

    [Test]
    public async Task Cancelled_it_leaves_nothing_and_every_session_is_free_again()
    {
        var to = new SegmentServer { Together = 2 };
        using var cancel = new CancellationTokenSource();
        to.BeforeChunk = (_, offset) =>
        {
            if (offset > 6 << 20) cancel.Cancel();
            return Task.CompletedTask;
        };
        await using var source = _from.Client(2);
        await using var target = to.Client(2);
        var error = await source.CopyFileAsync("/f", target, "/g", new() { Segments = 2 },
            cancellationToken: cancel.Token).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(to.Store.Files, Is.Empty);
        to.BeforeChunk = (_, _) => Task.CompletedTask;
        await source.CopyFileAsync("/f", target, "/g", new() { Segments = 2 }).Soon();
        Assert.That(to.Store["/g"]!.Content.AsSpan().SequenceEqual(_content));
    }
}
