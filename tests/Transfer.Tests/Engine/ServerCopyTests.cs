namespace Transfer.Tests.Engine;

/// <summary>Copies within one server that it makes itself.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ServerCopyTests
{
    private readonly MemoryStore _store = new() { Copies = true };

    [Test]
    public async Task A_file_is_copied_without_coming_here_and_one_session_is_enough()
    {
        _store.AddFile("/f", Samples.Bytes(5000), Samples.Time);
        var progress = new Collected<TransferProgress>();
        await using var client = Client(sessions: 1);
        var result = await client.CopyFileAsync("/f", client, "/d/g", new() { CreateDirectories = true }, progress).Soon();
        Assert.That((result.Bytes, result.Verified, result.Skipped), Is.EqualTo((5000L, VerificationMode.Size, false)));
        Assert.That(_store["/d/g"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(5000)));
        Assert.That(_store["/d/g"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That((_store.Faults.Count("download"), _store.Faults.Count("upload"), _store.Temporaries.Count), Is.EqualTo((0, 0, 0)));
        Assert.That((progress.Values[^1].Bytes, progress.Values[^1].TotalBytes, progress.Values[^1].Files), Is.EqualTo((5000L, 5000L, 1L)));
    }

    [Test]
    public async Task What_is_there_is_left_or_replaced_as_asked()
    {
        _store.AddFile("/f", [1]);
        _store.AddFile("/g", [2]);
        await using var client = Client();
        Assert.That((await client.CopyFileAsync("/f", client, "/g").Failure<TransferException>()).Error, Is.EqualTo(TransferError.Exists));
        Assert.That((await client.CopyFileAsync("/f", client, "/g", new() { Overwrite = OverwriteMode.Skip }).Soon()).Skipped);
        Assert.That(_store["/g"]!.Content, Is.EqualTo(new byte[] { 2 }));
        await client.CopyFileAsync("/f", client, "/g", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That(_store["/g"]!.Content, Is.EqualTo(new byte[] { 1 }));
        Assert.That((await client.CopyFileAsync("/none", client, "/h").Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.NotFound));
    }

    [TestCase(1)]
    [TestCase(8)]
    public async Task A_folder_is_copied_without_coming_here(int sessions)
    {
        for (var i = 0; i < 60; i++) _store.AddFile($"/s/d{i % 5}/f{i}", Samples.Bytes(i * 10, i), Samples.Time);
        _store.AddLink("/s/l", "d0/f0");
        _store.Faults.On("copied", new Fault { Refuse = new TransferException(TransferError.Quota, "full") }, 7);
        var progress = new Collected<TransferProgress>();
        await using var client = Client(sessions);
        var result = await client.CopyDirectoryAsync("/s", client, "/t", new() { Links = LinkHandling.Copy }, progress).Soon();
        Assert.That((result.Files, result.Failed, result.Failures.Single().Error!.Error), Is.EqualTo((60L, 1L, TransferError.Quota)));
        Assert.That(_store["/t/l"]!.LinkTarget, Is.EqualTo("d0/f0"));
        Assert.That((_store.Faults.Count("download"), _store.Faults.Count("upload")), Is.EqualTo((0, 0)));
        Assert.That((progress.Values[^1].Bytes, progress.Values[^1].TotalBytes, progress.Values[^1].TotalFiles),
            Is.EqualTo((result.Bytes, result.Bytes, 60L)));
    }

    [Test]
    public async Task A_server_that_breaks_its_word_gets_the_files_the_long_way()
    {
        var store = new MemoryStore { Copies = true, Refuses = true };
        for (var i = 0; i < 30; i++) store.AddFile($"/s/f{i}", Samples.Bytes(100, i));
        await using var client = new MemoryTransferClient(store, new() { MaxSessions = 2 });
        var result = await client.CopyDirectoryAsync("/s", client, "/t").Soon();
        Assert.That((result.Files, result.Bytes, store.Temporaries.Count), Is.EqualTo((30L, 3000L, 0)));
        Assert.That((await client.CopyFileAsync("/s/f1", client, "/g").Soon()).Bytes, Is.EqualTo(100));
        await using var narrow = new MemoryTransferClient(store, new() { MaxSessions = 1 });
        Assert.That((await narrow.CopyFileAsync("/s/f1", narrow, "/h").Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Unsupported));
    }

    [TestCase(1, true)]
    [TestCase(3, false)]
    public async Task A_session_that_is_lost_in_a_copy_leaves_nothing(int times, bool arrives)
    {
        _store.AddFile("/f", Samples.Bytes(5000));
        for (var i = 1; i <= times; i++) _store.Faults.On("copied", new Fault { LoseBefore = true }, i);
        await using var client = Client();
        var copy = client.CopyFileAsync("/f", client, "/g");
        if (arrives) Assert.That((await copy.Soon()).Bytes, Is.EqualTo(5000));
        else Assert.That((await copy.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Lost));
        Assert.That(_store.Files, Is.EqualTo(arrives ? new[] { "/f", "/g" } : ["/f"]));
    }

    [Test]
    public async Task A_cancelled_copy_ends_with_the_callers_token()
    {
        for (var i = 0; i < 20; i++) _store.AddFile($"/s/f{i}", [1]);
        using var cancel = new CancellationTokenSource();
        _store.Faults.On("copied", new Fault { Hold = _ => cancel.CancelAsync() }, 5);
        await using var client = Client(sessions: 2);
        var error = await client.CopyDirectoryAsync("/s", client, "/t",
            cancellationToken: cancel.Token).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(cancel.Token));
    }

    [Test]
    public async Task Another_client_of_the_same_server_is_another_log_in()
    {
        _store.AddFile("/f", Samples.Bytes(100));
        await using var from = Client();
        await using var to = Client();
        Assert.That((await from.CopyFileAsync("/f", to, "/g").Soon()).Bytes, Is.EqualTo(100));
        Assert.That(_store.Faults.Count("copy"), Is.Zero);
    }

    private MemoryTransferClient Client(int sessions = 4) => new(_store, new() { MaxSessions = sessions });
}
