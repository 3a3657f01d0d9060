using Transfer.Sessions;

namespace Transfer.Tests.Engine;

public sealed class OneAtATimeSessionTests
{
    private MemoryStore _store = null!;
    private MemorySession _session = null!;

    [SetUp]
    public void SetUp()
    {
        _store = new MemoryStore();
        _session = new MemorySession(_store);
    }

    [TearDown]
    public async Task TearDown() => await _session.DisposeAsync();

    [Test]
    public async Task An_upload_is_verified_dated_and_renamed()
    {
        var item = Upload("/f", Samples.Bytes(10_000));
        await _session.RunAsync(new ListSource(item), default).Soon();
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(10_000, VerificationMode.Size)));
        Same.Bytes(_store["/f"]!.Content, Samples.Bytes(10_000));
        Assert.That(_store["/f"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That(_store.Temporaries, Is.Empty);
        Assert.That(item.Reported, Is.EqualTo(10_000));
    }

    [Test]
    public async Task Without_a_temporary_name_the_file_is_written_under_its_own()
    {
        var item = new TestItem(WorkKind.Upload, "/f", new TestContent([1, 2])) { Verify = VerificationMode.Reply };
        await _session.RunAsync(new ListSource(item), default).Soon();
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(2, VerificationMode.Reply)));
        Assert.That((_store.Faults.Count("move"), _store.Faults.Count("stat")), Is.EqualTo((0, 0)));
    }

    [TestCase("upload")]
    [TestCase("uploaded")]
    [TestCase("stat")]
    [TestCase("set")]
    [TestCase("move")]
    public async Task A_refusal_at_any_step_fails_the_item_and_leaves_nothing_and_the_next_goes_on(string step)
    {
        _store.Faults.On(step, Fault.Refusal(TransferError.Quota));
        var (first, second) = (Upload("/a", [1]), Upload("/b", [2], "/.t2.part"));
        await _session.RunAsync(new ListSource(first, second), default).Soon();
        Assert.That(((WorkOutcome.Failed)first.Outcome).Error.Error, Is.EqualTo(TransferError.Quota));
        Assert.That(second.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(_store.Files, Is.EqualTo(new[] { "/b" }));
        Assert.That(_session.Usable, Is.True);
    }

    [TestCase("upload", false, ExpectedResult = false)]
    [TestCase("uploaded", true, ExpectedResult = false)]
    [TestCase("stat", false, ExpectedResult = false)]
    [TestCase("set", true, ExpectedResult = false)]
    [TestCase("move", false, ExpectedResult = true)]
    [TestCase("move", true, ExpectedResult = true)]
    public async Task<bool> A_loss_at_any_step_leaves_the_item_in_doubt_and_the_next_in_line(string step, bool after)
    {
        _store.Faults.On(step, new Fault { LoseBefore = !after, LoseAfter = after });
        var (first, second) = (Upload("/a", [1]), Upload("/b", [2]));
        var source = new ListSource(first, second);
        await _session.RunAsync(source, default).Soon();
        Assert.That(_session.Usable, Is.False);
        Assert.That(source.Taken, Is.EqualTo(1));
        Assert.That(second.Outcomes, Is.Empty);
        return ((WorkOutcome.InDoubt)first.Outcome).Publishing;
    }

    [Test]
    public async Task A_cut_in_mid_file_leaves_it_in_doubt_unpublished()
    {
        _store.Faults.CutAtByte(5000);
        var item = Upload("/a", Samples.Bytes(20_000));
        await _session.RunAsync(new ListSource(item), default).Soon();
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.InDoubt>());
        Assert.That(_store["/a"], Is.Null);
        Assert.That(_store["/.t.part"]!.Content, Has.Length.EqualTo(5000));
    }

    [Test]
    public async Task Nothing_is_written_behind_the_length_that_was_told()
    {
        _store.AddFile("/d", Samples.Bytes(20_000));
        var content = new TestContent([]);
        var item = new TestItem(WorkKind.Download, "/d", content) { Announced = 5000 };
        await _session.RunAsync(new ListSource(item), default).Soon();
        Assert.That(((WorkOutcome.Failed)item.Outcome).Exceeded, Is.EqualTo(5000));
        Same.Bytes(content.Bytes, Samples.Bytes(20_000).AsSpan(..5000));
    }

    [TestCase(20_000)]
    [TestCase(5001)]
    public async Task A_file_that_grows_is_gone_on_with_where_it_ended(int grown)
    {
        await using var client = new MemoryTransferClient(_store);
        using var here = new TempFolder();
        _store.AddFile("/d/f", Samples.Bytes(5000));
        _store.Faults.On("download",
            new Fault { Hold = _ => { _store["/d/f"]!.Content = Samples.Bytes(grown); return Task.CompletedTask; } });
        var result = await client.DownloadFileAsync("/d/f", here["f"]);
        Assert.That((result.Bytes, result.Attempts, result.Verified), Is.EqualTo(((long)grown, 2, VerificationMode.Size)));
        Same.Bytes(here.Read("f"), Samples.Bytes(grown));
    }

    [Test]
    public async Task A_file_that_does_not_stop_growing_fails_and_says_so()
    {
        await using var client = new MemoryTransferClient(_store);
        using var here = new TempFolder();
        var length = 5000;
        _store.AddFile("/d/f", Samples.Bytes(length));
        for (var i = 0; i < 20; i++)
        {
            _store.Faults.On("download",
                new Fault { Hold = _ => { _store["/d/f"]!.Content = Samples.Bytes(length += 5000); return Task.CompletedTask; } },
                nth: i + 1);
        }

        var error = await Assert.CatchAsync<TransferException>(() => client.DownloadFileAsync("/d/f", here["f"]));
        Assert.That((error!.Error, error.Message.Contains("grows while it is read", StringComparison.Ordinal)),
            Is.EqualTo((TransferError.Integrity, true)), error.Message);
        Assert.That(here.Files, Is.Empty);
    }

    [Test]
    public async Task A_wrong_size_at_the_server_fails_the_item()
    {
        _store.Faults.On("uploaded", new Fault { Hold = _ => { _store["/.t.part"]!.Content = [1]; return Task.CompletedTask; } });
        var item = Upload("/a", [1, 2, 3]);
        await _session.RunAsync(new ListSource(item), default).Soon();
        Assert.That(((WorkOutcome.Failed)item.Outcome).Error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task A_fault_of_the_content_is_no_fault_of_the_session()
    {
        // Even one that looks like a lost connection: a copy reads from another server.
        var fault = new TransferConnectionException(TransferError.Lost, "the other server");
        var upload = new TestItem(WorkKind.Upload, "/a", new TestContent([1]) { Fault = fault }) { TemporaryPath = "/.t.part" };
        _store.AddFile("/d", [1]);
        var download = new TestItem(WorkKind.Download, "/d", new TestContent([]) { Fault = fault });
        await _session.RunAsync(new ListSource(upload, download), default).Soon();
        Assert.That(((WorkOutcome.Failed)upload.Outcome).Error, Is.SameAs(fault));
        Assert.That(((WorkOutcome.Failed)download.Outcome).Error, Is.SameAs(fault));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/d" }));
    }

    [Test]
    public async Task An_item_cancelled_before_its_turn_is_untouched()
    {
        var item = Upload("/a", [1]);
        item.Cancel.Cancel();
        await _session.RunAsync(new ListSource(item), default).Soon();
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Untouched>());
        Assert.That(_store.Faults.Count("upload"), Is.Zero);
    }

    [Test]
    public async Task An_item_cancelled_in_its_middle_leaves_nothing_and_the_session_goes_on()
    {
        var (first, second) = (Upload("/a", [1]), Upload("/b", [2], "/.t2.part"));
        _store.Faults.On("uploaded",
            new Fault { Hold = ct => { first.Cancel.Cancel(); ct.ThrowIfCancellationRequested(); return Task.CompletedTask; } });
        await _session.RunAsync(new ListSource(first, second), default).Soon();
        Assert.That(first.Outcome, Is.InstanceOf<WorkOutcome.Failed>());
        Assert.That(_store.Files, Is.EqualTo(new[] { "/b" }));
    }

    [Test]
    public async Task Aborted_it_completes_the_item_and_throws()
    {
        using var abort = new CancellationTokenSource();
        var (first, second) = (Upload("/a", [1]), Upload("/b", [2]));
        _store.Faults.On("uploaded",
            new Fault { Hold = ct => { abort.Cancel(); ct.ThrowIfCancellationRequested(); return Task.CompletedTask; } });
        await _session.RunAsync(new ListSource(first, second), abort.Token).Failure<OperationCanceledException>();
        Assert.That(first.Outcome, Is.InstanceOf<WorkOutcome.Failed>());
        Assert.That(second.Outcomes, Is.Empty);
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task Aborted_in_the_rename_it_does_not_know_whether_it_was_done()
    {
        using var abort = new CancellationTokenSource();
        var item = Upload("/a", [1]);
        _store.Faults.On("move",
            new Fault { Hold = ct => { abort.Cancel(); ct.ThrowIfCancellationRequested(); return Task.CompletedTask; } });
        await _session.RunAsync(new ListSource(item), abort.Token).Failure<OperationCanceledException>();
        Assert.That(((WorkOutcome.InDoubt)item.Outcome).Publishing, Is.True);
    }

    [Test]
    public async Task An_exception_of_the_provider_that_is_none_of_ours_fails_the_item()
    {
        _store.Faults.On("upload", new Fault { Hold = _ => throw new FormatException("a mistake") });
        var item = Upload("/a", [1]);
        await _session.RunAsync(new ListSource(item), default).Soon();
        var error = ((WorkOutcome.Failed)item.Outcome).Error;
        Assert.That((error.Error, error.InnerException), Is.EqualTo((TransferError.Protocol, error.InnerException as FormatException)));
        Assert.That(error.InnerException, Is.InstanceOf<FormatException>());
    }

    [TestCase(0, 0, ExpectedResult = 0)]
    [TestCase(0, long.MaxValue, ExpectedResult = 10_000)]
    [TestCase(4000, long.MaxValue, ExpectedResult = 6000)]
    [TestCase(4000, 5000, ExpectedResult = 1000)]
    [TestCase(10_000, long.MaxValue, ExpectedResult = 0)]
    [TestCase(20_000, 30_000, ExpectedResult = 0)]
    public async Task<long> Downloads_fetch_the_range_that_is_asked_for(long offset, long end)
    {
        var bytes = Samples.Bytes(10_000);
        _store.AddFile("/f", bytes);
        var content = new TestContent([], announce: false);
        var item = new TestItem(WorkKind.Download, "/f", content) { Offset = offset, End = end };
        await _session.RunAsync(new ListSource(item), default).Soon();
        var done = (WorkOutcome.Done)item.Outcome;
        if (done.Bytes > 0) Assert.That(content.Bytes.AsSpan((int)offset).SequenceEqual(bytes.AsSpan((int)offset, (int)done.Bytes)));
        Assert.That(done.Verified, Is.EqualTo(VerificationMode.Size));
        return done.Bytes;
    }

    [TestCase(6000, ExpectedResult = 6000)]
    [TestCase(4096, ExpectedResult = 4096)]
    public async Task<long> A_download_ends_where_another_session_has_taken_the_rest(long end)
    {
        _store.AddFile("/f", Samples.Bytes(10_000), Samples.Time);
        var content = new TestContent([], announce: false);
        var (first, next) = (new TestItem(WorkKind.Download, "/f", content) { End = 8000, LowersEnd = end },
            new TestItem(WorkKind.Download, "/f", new TestContent([], announce: false)));
        await _session.RunAsync(new ListSource(first, next), default).Soon();
        Same.Bytes(content.Bytes, Samples.Bytes(10_000).AsSpan(..(int)end));
        Assert.That(first.Outcome, Is.EqualTo(new WorkOutcome.Done(end, VerificationMode.Size)));
        Assert.That(next.Outcome, Is.EqualTo(new WorkOutcome.Done(10_000, VerificationMode.Size)), "The session goes on.");
        return first.Reported;
    }

    [Test]
    public async Task A_download_that_is_cut_is_in_doubt_and_one_that_is_short_fails()
    {
        _store.AddFile("/f", Samples.Bytes(10_000));
        var longer = new TestItem(WorkKind.Download, "/f", new TestContent(new byte[10_001]));
        var cut = new TestItem(WorkKind.Download, "/f", new TestContent([], announce: false));
        _store.Faults.CutAtByte(15_000);
        await _session.RunAsync(new ListSource(longer, cut), default).Soon();
        Assert.That(((WorkOutcome.Failed)longer.Outcome).Error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(((WorkOutcome.InDoubt)cut.Outcome).Publishing, Is.False);
    }

    private static TestItem Upload(string path, byte[] bytes, string temporary = "/.t.part") =>
        new(WorkKind.Upload, path, new TestContent(bytes)) { TemporaryPath = temporary, Metadata = new() { Modified = Samples.Time } };
}
