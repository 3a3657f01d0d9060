using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>A folder with links both ways.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Sftp))]
[Parallelizable]
public sealed class LinkTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private static readonly DateTime Time = new(2024, 2, 29, 23, 59, 58, DateTimeKind.Utc);

    [TestCase(LinkHandling.Skip, 2, 5, 0)]
    [TestCase(LinkHandling.Copy, 7, 0, 0)]
    [TestCase(LinkHandling.Follow, 4, 3, 1)]
    public async Task Going_up_links_are_treated_as_asked(LinkHandling links, int files, int skipped, int failed)
    {
        var source = Path.Combine(Scratch, "source");
        Plant(source);
        await using var client = Client();

        var result = await client.UploadDirectoryAsync(source, Remote + "/t", new() { Links = links });

        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((files, skipped, failed)),
            string.Join('\n', result.Failures.Select(item => $"{item.Path}: {item.Error}")));
        AssertTarget(links, Server.Local(Remote + "/t"), absolute: true);
        if (links == LinkHandling.Copy && Kind == ServerKind.OpenSsh)
            Assert.That(File.GetLastWriteTimeUtc(Server.Local(Remote + "/t/link")), Is.EqualTo(Time));
    }

    [TestCase(LinkHandling.Skip, 2, 5, 0)]
    [TestCase(LinkHandling.Copy, 6, 0, 1)]
    [TestCase(LinkHandling.Follow, 4, 3, 1)]
    public async Task Coming_down_links_are_treated_as_asked(LinkHandling links, int files, int skipped, int failed)
    {
        // mod_sftp tells every link's text as an absolute path, and none such is made here.
        if (links == LinkHandling.Copy && Kind == ServerKind.ProftpdSftp) (files, failed) = (2, 5);
        var target = Path.Combine(Scratch, "target");
        Plant(Server.Local(Remote + "/s"));
        ServerUser.Own(Server.Local(Remote));
        await using var client = Client();

        var result = await client.DownloadDirectoryAsync(Remote + "/s", target, new() { Links = links });

        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((files, skipped, failed)),
            string.Join('\n', result.Failures.Select(item => $"{item.Path}: {item.Error}")));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.All.EqualTo(TransferError.Denied));
        if (links == LinkHandling.Copy && Kind == ServerKind.ProftpdSftp) return;
        AssertTarget(links, target, absolute: false);
        if (links == LinkHandling.Copy) Assert.That(File.GetLastWriteTimeUtc(Path.Combine(target, "link")), Is.EqualTo(Time));
    }

    [Test]
    public async Task Links_that_are_there_are_replaced_when_asked()
    {
        var source = Path.Combine(Scratch, "source");
        Directory.CreateDirectory(source);
        File.CreateSymbolicLink(Path.Combine(source, "link"), "new");
        File.CreateSymbolicLink(Path.Combine(source, "file"), "new");
        Server.Plant(Remote + "/t/file", [1]);
        File.CreateSymbolicLink(Server.Local(Remote + "/t/link"), "old");
        ServerUser.Own(Server.Local(Remote));
        await using var client = Client();

        var kept = await client.UploadDirectoryAsync(source, Remote + "/t", new() { Links = LinkHandling.Copy });
        Assert.That((kept.Files, kept.Failed), Is.EqualTo((0L, 2L)));
        var result = await client.UploadDirectoryAsync(source, Remote + "/t",
            new() { Links = LinkHandling.Copy, Overwrite = OverwriteMode.Always });

        Assert.That(result.Failures.Select(item => item.Error!.ToString()), Is.Empty);
        foreach (var name in new[] { "link", "file" })
            Assert.That(new FileInfo(Server.Local($"{Remote}/t/{name}")).LinkTarget, Is.EqualTo("new"));
        Assert.That(Directory.EnumerateFileSystemEntries(Server.Local(Remote + "/t")), Has.Exactly(2).Items);
    }

    [Test]
    public async Task A_file_that_may_replace_nothing_appears_under_its_name_only()
    {
        await using var client = Client();
        await client.UploadFileAsync(LocalFile("a", Bytes.Random(5000)), Remote + "/a");
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "a" }));
        var error =
            (await Assert.CatchAsync<TransferException>(async () => await client.UploadFileAsync(LocalFile("a", [1]), Remote + "/a")))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        Assert.That((new FileInfo(Server.Local(Remote + "/a")).Length, RemoteNames()), Is.EqualTo((5000L, new[] { "a" })));
    }

    // Two files and five links: to a file, to a folder, back up, to nothing, and out of the folder.
    private static void Plant(string folder)
    {
        Directory.CreateDirectory(Path.Combine(folder, "sub"));
        File.WriteAllText(Path.Combine(folder, "sub", "file"), "content");
        File.WriteAllText(Path.Combine(folder, "other"), "other");
        Link(folder, "link", "sub/file");
        Link(folder, "again", "./sub/.");
        Link(folder, "sub/up", "..");
        Link(folder, "dangling", "no such file");
        Link(folder, "out", "/");
    }

    private static void Link(string folder, string name, string target)
    {
        var path = Path.Combine(folder, name);
        File.CreateSymbolicLink(path, target);
        File.SetLastWriteTimeUtc(path, Time);
    }

    private static void AssertTarget(LinkHandling links, string folder, bool absolute)
    {
        string? Target(string name) => new FileInfo(Path.Combine(folder, name)).LinkTarget;
        Assert.That(File.ReadAllText(Path.Combine(folder, "sub", "file")), Is.EqualTo("content"));
        var expected = links == LinkHandling.Copy
            ? new[] { "sub/file", "./sub/.", "..", "no such file", absolute ? "/" : null } : new string?[5];
        Assert.That(new[] { "link", "again", "sub/up", "dangling", "out" }.Select(Target), Is.EqualTo(expected));
        Assert.That(File.Exists(Path.Combine(folder, "link")), Is.EqualTo(links != LinkHandling.Skip));
        if (links != LinkHandling.Follow) return;
        // Its own way back up is a loop.
        Assert.That(File.ReadAllText(Path.Combine(folder, "link")), Is.EqualTo("content"));
        Assert.That(Directory.EnumerateFileSystemEntries(Path.Combine(folder, "again")).Select(Path.GetFileName),
            Is.EqualTo(new[] { "file" }));
    }
}
