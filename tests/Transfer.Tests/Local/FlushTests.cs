using Transfer.Local;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Local;

/// <summary>Files that are to be on the disk before they count.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[NonParallelizable]
public sealed class FlushTests : IDisposable
{
    private readonly TempFolder _from = new();
    private readonly TempFolder _to = new();
    private readonly List<(string Path, bool IsThere)> _flushed = [];
    private readonly MemoryStore _store = new();

    public FlushTests() => Disk.Flushed += Hear;

    // Called while it happens: a throw is a disk that fails.
    private Action<string>? Also { get; set; }

    private string Target => _to["f"];

    public void Dispose()
    {
        Disk.Flushed -= Hear;
        _from.Dispose();
        _to.Dispose();
    }

    [Test]
    public async Task A_download_is_on_the_disk_before_it_has_its_name_and_its_name_before_it_is_done([Values] bool asked,
        [Values] PublishMode publish)
    {
        _store.AddFile("/f", Samples.Bytes(5000));
        await using var client = new MemoryTransferClient(_store);
        await client.DownloadFileAsync("/f", Target, new() { FlushToDisk = asked, Publish = publish }).Soon();
        AssertFlushed(asked, publish);
    }

    [Test]
    public async Task So_is_each_file_of_a_folder([Values] bool asked, [Values] bool sync)
    {
        _store.AddFile("/s/f", Samples.Bytes(5000));
        await using var client = new MemoryTransferClient(_store);
        if (sync) await client.SynchronizeAsync(_to.Path, "/s", SyncDirection.Down, new() { FlushToDisk = asked }).Soon();
        else await client.DownloadDirectoryAsync("/s", _to.Path, new() { FlushToDisk = asked }).Soon();
        AssertFlushed(asked);
    }

    [Test]
    public async Task So_is_what_is_written_to_a_local_client([Values("stream", "file", "folder", "copy", "copy folder", "hash",
        "direct")] string how, [Values] bool asked)
    {
        var source = _from.Add("f", Samples.Bytes(5000));
        await using var client = Open(_to.Path);
        await using var from = Open(_from.Path);
        var one = new UploadOptions { FlushToDisk = asked };
        var many = new DirectoryOptions { FlushToDisk = asked };
        await (how switch
        {
            "stream" => client.UploadAsync(new MemoryStream(Samples.Bytes(5000)), "f", one),
            "file" => client.UploadFileAsync(source, "f", one),
            "folder" => client.UploadDirectoryAsync(_from.Path, "", many),
            "copy" => from.CopyFileAsync("f", client, "f", one),
            "copy folder" => (Task)from.CopyDirectoryAsync("", client, "", many),
            "hash" => client.UploadFileAsync(source, "f", one with { Verify = VerificationMode.Hash }),
            _ => client.UploadFileAsync(source, "f", one with { Publish = PublishMode.Direct }),
        }).Soon();
        // What is hashed has its name flushed a second time: the session does not know that it is a temporary one.
        AssertFlushed(asked, how == "direct" ? PublishMode.Direct : PublishMode.Rename);
    }

    [Test]
    public async Task A_file_that_does_not_reach_the_disk_has_not_arrived_and_is_fetched_again()
    {
        _store.AddFile("/s/f", Samples.Bytes(5000), Samples.Time);
        _to.Add("to/f", [1]);
        var options = new DirectoryOptions { FlushToDisk = true, Overwrite = OverwriteMode.Always, Journal = _from["journal"] };
        await using var client = new MemoryTransferClient(_store);
        Also = _ => throw new IOException("The disk is broken.");
        var broken = await client.DownloadDirectoryAsync("/s", _to["to"], options).Soon();
        Assert.That(broken.Failures.Single().Error!.Message, Does.Contain("The disk is broken."));
        Assert.That(_to.Files, Is.EqualTo(new[] { "to/f" }));
        Assert.That(_to.Read("to/f"), Is.EqualTo(new byte[] { 1 }));

        // The same for its name: it is there, but nobody counts on it.
        Also = path => _ = path == _to["to"] ? throw new IOException("The disk is broken.") : true;
        Assert.That((await client.DownloadDirectoryAsync("/s", _to["to"], options with { Resume = true }).Soon()).Failed, Is.EqualTo(1));

        Also = null;
        var items = new Collected<ItemResult>();
        await client.StartDownloadDirectory("/s", _to["to"], options with { Resume = true }, readItems: true).TellAsync(items).Soon();
        Assert.That(items.Values.Single().Result!.Skipped, Is.False);
        Assert.That(_to.Read("to/f").AsSpan().SequenceEqual(Samples.Bytes(5000)));
    }

    private static LocalTransferClient Open(string path) => new(new Uri("file://" + path));

    private void AssertFlushed(bool asked, PublishMode publish = PublishMode.Rename)
    {
        Assert.That(_to.Read("f"), Has.Length.EqualTo(5000));
        if (!asked)
        {
            Assert.That(_flushed, Is.Empty);
            return;
        }
        var (first, wasThere) = _flushed[0];
        Assert.That((Path.GetFileName(first)!.StartsWith(".transfer-", StringComparison.Ordinal), wasThere),
            Is.EqualTo((publish == PublishMode.Rename, publish == PublishMode.Direct)));
        if (OperatingSystem.IsWindows()) Assert.That(_flushed, Has.Count.EqualTo(1));
        else Assert.That(_flushed[^1], Is.EqualTo((_to.Path, true)));
    }

    private void Hear(string path)
    {
        if (!path.StartsWith(_to.Path, StringComparison.Ordinal)) return;
        lock (_flushed) _flushed.Add((path, File.Exists(Target)));
        Also?.Invoke(path);
    }
}
