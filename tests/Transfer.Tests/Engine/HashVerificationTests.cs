using System.Security.Cryptography;

namespace Transfer.Tests.Engine;

/// <summary>Verification by hash where the server computes none: every file is read back.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed class HashVerificationTests
{
    private readonly MemoryStore _store = new();

    [TestCase(0, 1)]
    [TestCase(1, 1)]
    [TestCase(300_000, 1)]
    [TestCase(300_000, 4)]
    public async Task Files_of_folders_are_compared_both_ways_whatever_the_sessions(int length, int sessions)
    {
        using var local = new TempFolder();
        for (var i = 0; i < 10; i++) local.Add($"d{i % 3}/f{i}", Samples.Bytes(length, i));
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = sessions });
        var up = new Collected<ItemResult>();
        var result = await client.StartUploadDirectory(local.Path, "/t", new() { Verify = VerificationMode.Hash },
            readItems: true).TellAsync(up).Soon();
        Assert.That((result.Files, result.Failed, result.Bytes), Is.EqualTo((10L, 0L, 10L * length)));
        Assert.That(up.Values.Select(item => item.Result!.Verified), Is.All.EqualTo(VerificationMode.Hash));
        Assert.That(up.Values.Select(item => (item.Result!.HashAlgorithm, item.Result.HashSource)),
            Is.All.EqualTo(("SHA-256", HashSource.ReadBack)));
        Assert.That((result.Verified, result.HashAlgorithm, result.HashSource),
            Is.EqualTo((VerificationMode.Hash, "SHA-256", HashSource.ReadBack)));
        Assert.That(_store.Temporaries, Is.Empty);
        using var target = new TempFolder();
        var down = new Collected<ItemResult>();
        Assert.That(
            (await client.StartDownloadDirectory("/t", target.Path, new() { Verify = VerificationMode.Hash }, readItems: true).TellAsync(
                down).Soon()).Files, Is.EqualTo(10));
        Assert.That(down.Values.Select(item => item.Result!.Verified), Is.All.EqualTo(VerificationMode.Hash));
        for (var i = 0; i < 10; i++) Assert.That(target.Read($"d{i % 3}/f{i}").AsSpan().SequenceEqual(Samples.Bytes(length, i)));
    }

    [Test]
    public async Task An_upload_that_differs_is_never_published_and_leaves_nothing([Values] bool replaces)
    {
        if (replaces) _store.AddFile("/f", [1, 2, 3]);
        Damage("uploaded");
        await using var client = new MemoryTransferClient(_store);
        var error = await client.UploadAsync(new MemoryStream(Samples.Bytes(50_000)), "/f",
            new() { Verify = VerificationMode.Hash, Overwrite = OverwriteMode.Always }).Failure<TransferException>();
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Integrity, "/f")));
        Assert.That(_store.Files, replaces ? Is.EqualTo(new[] { "/f" }) : Is.Empty);
        if (replaces) Assert.That(_store["/f"]!.Content, Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public async Task What_changed_at_the_server_while_it_was_fetched_is_not_published_here()
    {
        _store.AddFile("/f", Samples.Bytes(50_000));
        Damage("downloaded");
        using var local = new TempFolder();
        await using var client = new MemoryTransferClient(_store);
        var error = await client.DownloadFileAsync("/f", Path.Combine(local.Path, "f"),
            new() { Verify = VerificationMode.Hash }).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(local.Files, Is.Empty);
    }

    [TestCase("uploaded")]
    [TestCase("download")]
    [TestCase("move")]
    public async Task A_session_that_is_lost_at_any_step_is_made_good(string operation)
    {
        foreach (var after in (bool[])[false, true])
        {
            var store = new MemoryStore();
            store.Faults.On(operation, new Fault { LoseBefore = !after, LoseAfter = after });
            await using var client = new MemoryTransferClient(store);
            var result = await client.UploadAsync(new MemoryStream(Samples.Bytes(50_000)), "/f",
                new() { Verify = VerificationMode.Hash }).Soon();
            Assert.That(result.Verified, Is.EqualTo(VerificationMode.Hash));
            Assert.That(store["/f"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(50_000)));
            Assert.That(store.Temporaries, Is.Empty);
        }
    }

    [Test]
    public async Task A_refused_rename_leaves_nothing()
    {
        _store.Faults.On("move", new Fault { Refuse = new TransferException(TransferError.Denied, "no") });
        await using var client = new MemoryTransferClient(_store);
        var error = await client.UploadAsync(new MemoryStream([1]), "/f",
            new() { Verify = VerificationMode.Hash }).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task Published_directly_a_file_is_compared_too()
    {
        await using var client = new MemoryTransferClient(_store);
        var result = await client.UploadAsync(new MemoryStream(Samples.Bytes(50_000)), "/f",
            new() { Verify = VerificationMode.Hash, Publish = PublishMode.Direct }).Soon();
        Assert.That(result.Verified, Is.EqualTo(VerificationMode.Hash));
    }

    [Test]
    public async Task A_copy_is_compared_with_what_was_read_also_where_the_server_would_copy_it_itself()
    {
        var store = new MemoryStore { Copies = true };
        store.AddFile("/f", Samples.Bytes(50_000), Samples.Time);
        await using var client = new MemoryTransferClient(store);
        var result = await client.CopyFileAsync("/f", client, "/g", new() { Verify = VerificationMode.Hash }).Soon();
        Assert.That((result.Verified, result.Bytes), Is.EqualTo((VerificationMode.Hash, 50_000L)));
        Assert.That(store["/g"]!.Modified, Is.EqualTo(Samples.Time));
    }

    [Test]
    public async Task A_stream_that_cannot_seek_is_compared_and_a_written_one()
    {
        await using var client = new MemoryTransferClient(_store);
        await using (var stream = await client.OpenWriteAsync("/f", new() { Verify = VerificationMode.Hash }).Soon())
        {
            await stream.WriteAsync(Samples.Bytes(50_000)).AsTask().Soon();
            Assert.That((await stream.CommitAsync().Soon()).Verified, Is.EqualTo(VerificationMode.Hash));
        }
        using var target = new MemoryStream();
        Assert.That((await client.DownloadAsync("/f", target, new() { Verify = VerificationMode.Hash }).Soon()).Verified,
            Is.EqualTo(VerificationMode.Hash));
        Assert.That(target.ToArray().AsSpan().SequenceEqual(Samples.Bytes(50_000)));
    }

    [Test]
    public async Task The_local_file_system_computes_it()
    {
        using var local = new TempFolder();
        await using var client = new LocalTransferClient(new Uri(local.Path + "/"));
        var result = await client.UploadAsync(new MemoryStream(Samples.Bytes(50_000)), "f",
            new() { Verify = VerificationMode.Hash }).Soon();
        Assert.That((result.Verified, result.HashAlgorithm, result.HashSource),
            Is.EqualTo((VerificationMode.Hash, "SHA-256", HashSource.Server)));
        Assert.That(result.Hash, Is.EqualTo(Convert.ToHexStringLower(SHA256.HashData(Samples.Bytes(50_000)))));
        Assert.That(local.Files, Is.EqualTo(new[] { "f" }));
    }

    [Test]
    public async Task Without_a_hash_none_is_told_and_without_a_file_no_check()
    {
        using var local = new TempFolder();
        await using var client = new MemoryTransferClient(_store);
        Assert.That((await client.UploadDirectoryAsync(local.Path, "/none").Soon()).Verified, Is.Null);
        local.Add("f", [1]);
        var result = await client.UploadDirectoryAsync(local.Path, "/t").Soon();
        Assert.That((result.Verified, result.HashAlgorithm, result.HashSource),
            Is.EqualTo(((VerificationMode?)VerificationMode.Size, (string?)null, (HashSource?)null)));
        var again = await client.UploadDirectoryAsync(local.Path, "/t", new() { Overwrite = OverwriteMode.Skip }).Soon();
        Assert.That((again.Skipped, again.Verified), Is.EqualTo((1L, (VerificationMode?)null)));
    }

    [Test]
    public void Of_a_job_the_weakest_check_is_told()
    {
        var tally = new JobTally();
        Add(VerificationMode.Hash, HashSource.ReadBack, "SHA-256");
        Assert.That(Told(), Is.EqualTo((VerificationMode.Hash, HashSource.ReadBack, "SHA-256")));
        Add(VerificationMode.Hash, HashSource.Server, "SHA-256");
        Add(VerificationMode.Hash, HashSource.Command, "SHA-1");
        Assert.That(Told(), Is.EqualTo((VerificationMode.Hash, HashSource.Server, "SHA-256")));
        Add(VerificationMode.Hash, HashSource.Server, "MD5");
        Assert.That(Told(), Is.EqualTo((VerificationMode.Hash, HashSource.Server, (string?)null)), "not the same for all");
        Add(VerificationMode.Reply, null, null);
        Add(VerificationMode.Size, null, null);
        Assert.That(Told(), Is.EqualTo((VerificationMode.Reply, (HashSource?)null, (string?)null)));

        void Add(VerificationMode verified, HashSource? source, string? algorithm) =>
            tally.Done(ItemAction.Transfer, new TransferResult { Verified = verified, HashSource = source, HashAlgorithm = algorithm });

        (VerificationMode?, HashSource?, string?) Told() =>
            tally.ToResult(default, 1) switch { var job => (job.Verified, job.HashSource, job.HashAlgorithm) };
    }

    // One byte of every file, as soon as it is written or read: its size stays.
    private void Damage(string after) => _store.Faults.On(after, new Fault
    {
        Hold = _ =>
        {
            foreach (var file in _store.Files.Concat(_store.Temporaries).Distinct())
                if (_store[file] is { Content.Length: 50_000 } node) node.Content = [.. node.Content[..^1], (byte)(node.Content[^1] ^ 1)];
            return Task.CompletedTask;
        },
    });
}
