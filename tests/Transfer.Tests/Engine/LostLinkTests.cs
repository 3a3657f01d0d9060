using Transfer.Tests.Testing;

namespace Transfer.Tests.Engine;

/// <summary>Links of folder jobs whose session is lost while an SFTP server makes them.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class LostLinkTests
{
    private const int Count = 30;

    private readonly Transfer.Testing.MemoryStore _store = new();

    [TestCase("SYMLINK", false)]
    [TestCase("SYMLINK", true)]
    [TestCase("posix-rename@openssh.com", false)]
    [TestCase("posix-rename@openssh.com", true)]
    public async Task Links_are_made_and_reported_once_each(string verb, bool executed)
    {
        var replaces = verb != "SYMLINK";
        using var local = Links();
        if (replaces) for (var i = 0; i < Count; i++) await _store.CreateSymbolicLinkAsync($"/t/l{i}", "old");
        await using var server = await SftpServerHarness.StartAsync(new() { Store = _store });
        var cut = server.Faults.DropConnection(verb, executed, skip: 12);
        await using var client = server.Client();
        var options = new DirectoryOptions { Links = LinkHandling.Copy, Overwrite = replaces ? OverwriteMode.Always : OverwriteMode.Fail };
        await using var job = client.StartUploadDirectory(local.Path, "/t", options, readItems: true);
        var items = await job.ReadItemsAsync().ToListAsync();
        Assert.That((items.Count, items.Count(item => item.Error is not null), cut.Fired), Is.EqualTo((Count, 0, 1)));
        Assert.That((await job.Completion).Files, Is.EqualTo(Count));
        await AssertTextsAsync(i => $"to{i}");
    }

    [Test]
    public async Task Another_link_in_the_way_stays_and_is_the_only_failure()
    {
        using var local = Links();
        await _store.CreateSymbolicLinkAsync("/t/l7", "other");
        await using var server = await SftpServerHarness.StartAsync(new() { Store = _store });
        server.Faults.DropConnection("SYMLINK", executed: true, skip: 12);
        await using var client = server.Client();
        var result = await client.UploadDirectoryAsync(local.Path, "/t", new() { Links = LinkHandling.Copy }).Soon();
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)), Is.EqualTo(new[] { ("l7", TransferError.Exists) }));
        await AssertTextsAsync(i => i == 7 ? "other" : $"to{i}");
    }

    [Test]
    public async Task After_the_last_attempt_only_links_that_are_not_there_have_failed()
    {
        using var local = Links();
        await using var server = await SftpServerHarness.StartAsync(new() { Store = _store });
        server.Faults.DropConnection("SYMLINK", executed: true, times: int.MaxValue, path: "*3");
        await using var client = server.Client();
        var result = await client.UploadDirectoryAsync(local.Path, "/t", new() { Links = LinkHandling.Copy }).Soon();
        var there = (await _store.ListAsync("/t").ToListAsync()).Select(entry => entry.Name).ToHashSet();
        Assert.That(result.Files, Is.InRange(1, there.Count));
        Assert.That(result.Files + result.Failed, Is.EqualTo(Count));
    }

    private TempFolder Links()
    {
        var local = new TempFolder();
        for (var i = 0; i < Count; i++) File.CreateSymbolicLink(local[$"l{i}"], $"to{i}");
        _store.AddDirectory("/t");
        return local;
    }

    private async Task AssertTextsAsync(Func<int, string> text)
    {
        var there = await _store.ListAsync("/t").ToListAsync();
        Assert.That(there.Select(entry => (entry.Name, entry.LinkTarget)),
            Is.EquivalentTo(Enumerable.Range(0, Count).Select(i => ($"l{i}", text(i)))));
    }
}
