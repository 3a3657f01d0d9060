namespace Transfer.Tests.Engine;

public sealed class CopyTests
{
    private MemoryStore _from = null!;
    private MemoryStore _to = null!;
    private MemoryTransferClient _source = null!;
    private MemoryTransferClient _target = null!;

    [SetUp]
    public void SetUp()
    {
        (_from, _to) = (new MemoryStore(), new MemoryStore());
        (_source, _target) = (new MemoryTransferClient(_from), new MemoryTransferClient(_to));
    }

    [TearDown]
    public async Task TearDown()
    {
        await _source.DisposeAsync();
        await _target.DisposeAsync();
    }

    [Test]
    public async Task Two_copies_in_opposite_directions_get_by_with_one_session_of_each_server()
    {
        await using var a = new MemoryTransferClient(_from, new() { MaxSessions = 1 });
        await using var b = new MemoryTransferClient(_to, new() { MaxSessions = 1 });
        for (var i = 0; i < 20; i++)
        {
            _from.AddFile($"/x/{i}", Samples.Bytes(100_000, i), Samples.Time);
            _to.AddFile($"/y/{i}", Samples.Bytes(100_000, i + 100), Samples.Time);
        }
        // Were each to wait for the session that the other has, files would fail after IdleTimeout.
        var results = await Task.WhenAll(a.CopyDirectoryAsync("/x", b, "/x"), b.CopyDirectoryAsync("/y", a, "/y")).Soon();
        Assert.That(results.Select(result => (result.Files, result.Failed, result.Retries)), Has.All.EqualTo((20L, 0L, 0)));
        for (var i = 0; i < 20; i++)
        {
            Assert.That(_to[$"/x/{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(100_000, i)));
            Assert.That(_from[$"/y/{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(100_000, i + 100)));
        }
    }

    [TestCase(0)]
    [TestCase(1000)]
    [TestCase(5_000_000)]
    public async Task A_file_is_copied_with_its_time(int length)
    {
        _from.AddFile("/f", Samples.Bytes(length), Samples.Time);
        var progress = new Collected<TransferProgress>();
        var result = await _source.CopyFileAsync("/f", _target, "/d/g", new() { CreateDirectories = true }, progress).Soon();
        Assert.That((result.Bytes, result.Verified), Is.EqualTo(((long)length, VerificationMode.Size)));
        Assert.That(_to["/d/g"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(length)));
        Assert.That(_to["/d/g"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That(progress.Values[^1].Bytes, Is.EqualTo(length), "counted once, not at both ends");
        Assert.That(_to.Temporaries, Is.Empty);
    }

    [TestCase(1, 8)]
    [TestCase(8, 1)]
    [TestCase(1, 1)]
    [TestCase(4, 4)]
    public async Task A_folder_is_copied_whatever_the_sessions_at_both_ends(int source, int target)
    {
        for (var i = 0; i < 120; i++) _from.AddFile($"/s/d{i % 7}/f{i}", Samples.Bytes(i % 10 == 0 ? 300_000 : 700, i), Samples.Time);
        await using var from = new MemoryTransferClient(_from, new() { MaxSessions = source });
        await using var to = new MemoryTransferClient(_to, new() { MaxSessions = target });
        var result = await from.CopyDirectoryAsync("/s", to, "/t/u").Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((120L, 0L)));
        for (var i = 0; i < 120; i++)
            Assert.That(_to[$"/t/u/d{i % 7}/f{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(i % 10 == 0 ? 300_000 : 700, i)));
    }

    [Test]
    public async Task A_folder_is_read_at_both_ends_at_once_where_what_is_there_counts()
    {
        _from.AddFile("/s/d/f", [1]);
        _to.AddFile("/t/d/f", [2]);
        var asked = new TaskCompletionSource();
        _from.Faults.On("list", new Fault { Hold = _ => asked.Task }, path: path => path == "/s/d");
        _to.Faults.On("list", new Fault { Hold = _ => { asked.SetResult(); return Task.CompletedTask; } }, path: path => path == "/t/d");
        var result = await _source.CopyDirectoryAsync("/s", _target, "/t", new() { Overwrite = OverwriteMode.Skip }).Soon();
        Assert.That((result.Files, result.Skipped, _to["/t/d/f"]!.Content[0]), Is.EqualTo((0L, 1L, (byte)2)));
    }

    [Test]
    public async Task Within_one_client_half_of_the_sessions_read()
    {
        for (var i = 0; i < 60; i++) _from.AddFile($"/s/f{i}", Samples.Bytes(200_000, i));
        await using var client = new MemoryTransferClient(_from, new() { MaxSessions = 2 });
        Assert.That((await client.CopyDirectoryAsync("/s", client, "/t").Soon()).Files, Is.EqualTo(60));
        await using var narrow = new MemoryTransferClient(_from, new() { MaxSessions = 1 });
        var error = await narrow.CopyFileAsync("/s/f0", narrow, "/g").Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }

    [Test]
    public async Task A_source_that_is_cut_is_fetched_again_also_when_something_was_passed_on()
    {
        _from.AddFile("/f", Samples.Bytes(500_000));
        _from.Faults.On("download", new Fault { LoseBefore = true });
        Assert.That((await _source.CopyFileAsync("/f", _target, "/g").Soon()).Bytes, Is.EqualTo(500_000));
        _from.Faults.CutAtByte(200_000);
        Assert.That((await _source.CopyFileAsync("/f", _target, "/h").Soon()).Attempts, Is.EqualTo(2));
        Assert.That(_to["/h"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(500_000)));
        Assert.That(_to.Files, Is.EqualTo(new[] { "/g", "/h" }));
        Assert.That(await _target.GetEntryAsync("/g").Soon(), Is.Not.Null, "the target's session did nothing wrong");
    }

    [Test]
    public async Task A_target_that_is_cut_gets_the_file_again_from_its_beginning()
    {
        _from.AddFile("/f", Samples.Bytes(500_000));
        _to.Faults.CutAtByte(300_000);
        var result = await _source.CopyFileAsync("/f", _target, "/g").Soon();
        Assert.That(result.Attempts, Is.EqualTo(2));
        Assert.That(_to["/g"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(500_000)));
        Assert.That(_to.Files, Is.EqualTo(new[] { "/g" }));
    }

    [Test]
    public async Task A_source_shorter_than_announced_is_never_published()
    {
        _from.AddFile("/f", Samples.Bytes(1000));
        _from.Faults.On("download", new Fault { Hold = _ => { _from.AddFile("/f", Samples.Bytes(999)); return Task.CompletedTask; } });
        var error = await _source.CopyFileAsync("/f", _target, "/g").Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(_to.Files, Is.Empty);
    }

    [Test]
    public async Task When_no_session_of_the_source_comes_free_the_copy_gives_up_instead_of_waiting_for_ever()
    {
        _from.AddFile("/f", Samples.Bytes(2_000_000));
        await using var from = new MemoryTransferClient(_from, new() { MaxSessions = 1, IdleTimeout = TimeSpan.FromMilliseconds(200) });
        await from.GetEntryAsync("/f").Soon();
        // The source is looked at, and then its only session goes to somebody who keeps it.
        Stream? other = null;
        _to.Faults.On("upload", new Fault { Hold = async ct => other = await from.OpenReadAsync("/f", cancellationToken: ct) });
        var error = await from.CopyFileAsync("/f", _target, "/g", new() { Overwrite = OverwriteMode.Always }).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(_to.Files, Is.Empty);
        await other!.DisposeAsync();
    }

    [Test]
    public async Task A_cancelled_copy_leaves_nothing([Range(1, 8)] int n)
    {
        for (var i = 0; i < 20; i++) _from.AddFile($"/s/f{i}", Samples.Bytes(150_000, i));
        using var cancel = new CancellationTokenSource();
        (n % 2 == 0 ? _from : _to).Faults.On(n % 2 == 0 ? "download" : "uploaded",
            new Fault { Hold = _ => { cancel.Cancel(); return Task.CompletedTask; } }, n);
        var error = await _source.CopyDirectoryAsync("/s", _target, "/t",
            cancellationToken: cancel.Token).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(_to.Temporaries, Is.Empty);
        foreach (var file in _to.Files) Assert.That(_to[file]!.Content, Has.Length.EqualTo(150_000));
        Assert.That(await _source.GetEntryAsync("/s").Soon(), Is.Not.Null);
    }
}
