namespace Transfer.Tests.Engine;

public sealed class StreamTests
{
    private MemoryStore _store = null!;
    private MemoryTransferClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _store = new MemoryStore();
        _client = new MemoryTransferClient(_store, new() { MaxSessions = 1 });
    }

    [TearDown]
    public async Task TearDown() => await _client.DisposeAsync();

    [Test]
    public async Task A_written_file_appears_with_the_commit()
    {
        var bytes = Samples.Bytes(3_000_000);
        await using var stream = await _client.OpenWriteAsync("/f", new() { Modified = Samples.Time }).Soon();
        for (var at = 0; at < bytes.Length; at += 100_000) await stream.WriteAsync(bytes.AsMemory(at, 100_000)).AsTask().Soon();
        Assert.That(_store["/f"], Is.Null);
        var result = await stream.CommitAsync().Soon();
        Assert.That((result.Bytes, result.Verified), Is.EqualTo((3_000_000L, VerificationMode.Size)));
        Assert.That(_store["/f"]!.Content.AsSpan().SequenceEqual(bytes));
        Assert.That(_store["/f"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That(stream.CanWrite, Is.False);
        Assert.That(async () => await stream.WriteAsync(new byte[1]), Throws.InvalidOperationException);
    }

    [Test]
    public async Task An_empty_file_can_be_committed()
    {
        await using var stream = await _client.OpenWriteAsync("/f").Soon();
        Assert.That((await stream.CommitAsync().Soon()).Bytes, Is.Zero);
        Assert.That(_store["/f"]!.Content, Is.Empty);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task Disposed_without_a_commit_nothing_is_published_and_nothing_left(bool asynchronously)
    {
        var stream = await _client.OpenWriteAsync("/f").Soon();
        await stream.WriteAsync(Samples.Bytes(100_000)).AsTask().Soon();
        await Eventually.TrueAsync(() => _store.Temporaries.Count == 1);
        if (asynchronously) await stream.DisposeAsync().AsTask().Soon();
        else stream.Dispose();
        await Eventually.TrueAsync(() => _store.Files.Count == 0);
        Assert.That(await _client.GetEntryAsync("/f").Soon(), Is.Null, "the session is free again");
    }

    [Test]
    public async Task Opening_a_file_that_exists_throws()
    {
        _store.AddFile("/f", [1]);
        var error = await _client.OpenWriteAsync("/f").AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
    }

    [Test]
    public async Task Skipped_it_takes_everything_and_says_so()
    {
        _store.AddFile("/f", [1]);
        await using var stream = await _client.OpenWriteAsync("/f", new() { Overwrite = OverwriteMode.Skip }).Soon();
        await stream.WriteAsync(Samples.Bytes(5_000_000)).AsTask().Soon();
        Assert.That((await stream.CommitAsync().Soon()).Skipped, Is.True);
        Assert.That(_store["/f"]!.Content, Has.Length.EqualTo(1));
    }

    [Test]
    public async Task After_a_failure_writes_and_the_commit_throw_the_reason()
    {
        // The server refuses when it likes: while the stream is opened, or later.
        _store.Faults.On("upload", Fault.Refusal(TransferError.Quota));
        TransferWriteStream? stream = null;
        var error = await WriteForEver().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Quota));
        Assert.That(_store.Files, Is.Empty);
        if (stream is null) return;
        error = await stream.CommitAsync().AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Quota));
        await stream.DisposeAsync();

        async Task WriteForEver()
        {
            stream = await _client.OpenWriteAsync("/f").Soon();
            while (true) await stream.WriteAsync(new byte[100_000]);
        }
    }

    [Test]
    public async Task A_cancelled_commit_publishes_nothing()
    {
        using var cancel = new CancellationTokenSource();
        _store.Faults.On("uploaded", new Fault { Hold = async ct => { cancel.Cancel(); await Task.Delay(-1, ct); } });
        await using var stream = await _client.OpenWriteAsync("/f").Soon();
        await stream.WriteAsync(new byte[10]).AsTask().Soon();
        var error = await stream.CommitAsync(cancel.Token).AsTask().Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task A_file_with_a_write_that_was_cancelled_cannot_be_committed()
    {
        _store.Faults.On("upload", new Fault { Hold = ct => Task.Delay(-1, ct) });
        await using var stream = await _client.OpenWriteAsync("/f").Soon();
        using var cancel = new CancellationTokenSource();
        var writing = stream.WriteAsync(new byte[5_000_000], cancel.Token).AsTask();
        cancel.Cancel();
        await writing.Failure<OperationCanceledException>();
        Assert.That(async () => await stream.CommitAsync(), Throws.InvalidOperationException);
    }

    [Test]
    public async Task A_file_is_read_to_its_end()
    {
        var bytes = Samples.Bytes(3_000_000);
        _store.AddFile("/f", bytes);
        await using var stream = await _client.OpenReadAsync("/f").Soon();
        var read = new MemoryStream();
        await stream.CopyToAsync(read).Soon();
        Assert.That(read.ToArray().AsSpan().SequenceEqual(bytes));
        Assert.That(stream.Position, Is.EqualTo(3_000_000));
    }

    [TestCase(0, 0)]
    [TestCase(10, 20)]
    [TestCase(90, 20)]
    [TestCase(200, 20)]
    [TestCase(10, null)]
    public async Task A_part_of_a_file_is_read(long offset, long? length)
    {
        _store.AddFile("/f", Samples.Bytes(100));
        await using var stream = await _client.OpenReadAsync("/f", new() { Offset = offset, Length = length }).Soon();
        var read = new MemoryStream();
        await stream.CopyToAsync(read).Soon();
        var expected = Samples.Bytes(100).Skip((int)offset).Take((int)(length ?? 100));
        Assert.That(read.ToArray(), Is.EqualTo(expected));
    }

    [Test]
    public async Task Disposed_early_the_rest_is_not_fetched_and_the_session_comes_free()
    {
        _store.AddFile("/f", Samples.Bytes(20_000_000));
        var stream = await _client.OpenReadAsync("/f").Soon();
        Assert.That(await stream.ReadAsync(new byte[100]).Soon(), Is.GreaterThan(0));
        await stream.DisposeAsync().AsTask().Soon();
        Assert.That(_store.Faults.Count("downloaded"), Is.Zero);
        Assert.That(await _client.GetEntryAsync("/f").Soon(), Is.Not.Null);
    }

    [Test]
    public async Task Disposed_while_no_session_is_free_it_does_not_wait_for_one()
    {
        _store.AddFile("/f", Samples.Bytes(20_000_000));
        await using var first = await _client.OpenReadAsync("/f").Soon();
        using var cancel = new CancellationTokenSource();
        var second = _client.OpenReadAsync("/f", cancellationToken: cancel.Token).AsTask();
        cancel.Cancel();
        await second.Failure<OperationCanceledException>();
    }

    [Test]
    public async Task A_file_that_does_not_exist_throws_when_it_is_opened()
    {
        var error = await _client.OpenReadAsync("/no").AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task A_loss_in_the_middle_surfaces_in_a_read()
    {
        _store.AddFile("/f", Samples.Bytes(2_000_000));
        _store.Faults.CutAtByte(1_000_000);
        await using var stream = await _client.OpenReadAsync("/f").Soon();
        var error = await stream.CopyToAsync(Stream.Null).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_loss_before_the_first_byte_is_made_good()
    {
        _store.AddFile("/f", Samples.Bytes(1000));
        _store.Faults.On("download", new Fault { LoseBefore = true });
        await using var stream = await _client.OpenReadAsync("/f").Soon();
        var read = new MemoryStream();
        await stream.CopyToAsync(read).Soon();
        Assert.That(read.ToArray().AsSpan().SequenceEqual(Samples.Bytes(1000)));
    }

    [Test]
    public async Task Without_a_session_opening_fails()
    {
        for (var i = 1; i < 5; i++) _store.Faults.On("open", Fault.Refusal(TransferError.Auth), nth: i);
        Assert.That((await _client.OpenReadAsync("/f").AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.Auth));
        Assert.That((await _client.OpenWriteAsync("/f").AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.Auth));
    }
}
