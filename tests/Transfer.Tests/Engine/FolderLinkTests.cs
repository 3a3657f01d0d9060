namespace Transfer.Tests.Engine;

/// <summary>Symbolic links in folder jobs: left out, made at the target, or followed.</summary>
public sealed class FolderLinkTests : MemoryFixture
{
    [Test]
    public async Task Going_up_they_are_skipped_and_counted_unless_asked_otherwise()
    {
        Local.Add("a", [1]);
        File.CreateSymbolicLink(Local["link"], Local["a"]);
        Directory.CreateSymbolicLink(Local["dirlink"], Local.Path);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((1L, 2L, 0L)));
    }

    [Test]
    public async Task Going_up_they_are_followed_within_the_folder_and_loops_are_not()
    {
        using var outside = new TempFolder();
        outside.Add("secret", [7]);
        Local.Add("sub/a", [1]);
        File.CreateSymbolicLink(Local["link"], "sub/a");
        File.CreateSymbolicLink(Local["dangling"], Local["nowhere"]);
        File.CreateSymbolicLink(Local["round"], "round");
        Directory.CreateSymbolicLink(Local["again"], Local["sub"]);
        Directory.CreateSymbolicLink(Local["out"], outside.Path);
        File.CreateSymbolicLink(Local["secret"], outside["secret"]);
        Directory.CreateSymbolicLink(Local["sub/up"], "..");

        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Links = LinkHandling.Follow }).Soon();

        Assert.That(Store.Files, Is.EquivalentTo(new[] { "/t/sub/a", "/t/link", "/t/again/a" }));
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((3L, 4L, 2L)));
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)),
            Is.EquivalentTo(new[] { ("out", TransferError.Denied), ("secret", TransferError.Denied) }));
    }

    [Test]
    public async Task Folders_that_lead_into_each_other_end()
    {
        Local.Add("a/x", [1]);
        Local.Add("b/c/y", [2]);
        Directory.CreateSymbolicLink(Local["a/to-c"], "../b/c");
        Directory.CreateSymbolicLink(Local["b/c/to-b"], "..");
        Directory.CreateSymbolicLink(Local["b/c/to-a"], "../../a");

        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Links = LinkHandling.Follow }).Soon();

        Assert.That(result.Failures, Is.Empty);
        Assert.That(Store.Files, Is.EquivalentTo(new[] { "/t/a/x", "/t/a/to-c/y", "/t/b/c/y", "/t/b/c/to-a/x" }));
        Assert.That(result.Skipped, Is.EqualTo(4), "a/to-c/to-b/c, a/to-c/to-a, b/c/to-b and b/c/to-a/to-c are where one is already");
    }

    [Test]
    public async Task Going_up_they_are_made_with_their_text_as_it_is()
    {
        Local.Add("sub/a", [1]);
        File.CreateSymbolicLink(Local["sub/link"], "../sub//./a");
        File.SetLastWriteTimeUtc(Local["sub/link"], Samples.Time.UtcDateTime);
        File.CreateSymbolicLink(Local["absolute"], "/etc/hosts");
        Directory.CreateSymbolicLink(Local["up"], "../..");
        File.CreateSymbolicLink(Local["nowhere"], "no such file");

        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Links = LinkHandling.Copy }).Soon();

        Assert.That((result.Files, result.Bytes, result.Skipped, result.Failed), Is.EqualTo((5L, 1L, 0L, 0L)));
        Assert.That(new[] { "sub/link", "absolute", "up", "nowhere" }.Select(name => Store["/t/" + name]!.LinkTarget),
            Is.EqualTo(new[] { "../sub//./a", "/etc/hosts", "../..", "no such file" }));
        Assert.That(Store["/t/sub/link"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That(File.GetLastWriteTimeUtc(Local["sub/a"]), Is.Not.EqualTo(Samples.Time.UtcDateTime), "the link's own time was meant");
    }

    [TestCase(OverwriteMode.Fail, "old", 1, 0, 1)]
    [TestCase(OverwriteMode.Skip, "old", 1, 1, 0)]
    [TestCase(OverwriteMode.Always, "new", 2, 0, 0)]
    public async Task Links_that_are_there_are_treated_as_files_are(OverwriteMode overwrite, string expected, int files, int skipped,
        int failed)
    {
        File.CreateSymbolicLink(Local["l"], "new");
        File.CreateSymbolicLink(Local["other"], "x");
        Store.AddLink("/t/l", "old");
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Links = LinkHandling.Copy, Overwrite = overwrite }).Soon();
        Assert.That(Store["/t/l"]!.LinkTarget, Is.EqualTo(expected));
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((files, skipped, failed)));
    }

    [Test]
    public async Task A_directory_is_never_replaced_by_a_link()
    {
        File.CreateSymbolicLink(Local["l"], "x");
        Store.AddFile("/t/l/precious", [1]);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t",
            new() { Links = LinkHandling.Copy, Overwrite = OverwriteMode.Always }).Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/l/precious" }));
    }

    [TestCase(LinkHandling.Copy)]
    [TestCase(LinkHandling.Follow)]
    public async Task A_protocol_without_links_fails_them_alone(LinkHandling links)
    {
        var store = new MemoryStore { HasLinks = false };
        await using var client = new MemoryTransferClient(store);
        Local.Add("a", [1]);
        File.CreateSymbolicLink(Local["l"], "a");
        if (links == LinkHandling.Copy)
        {
            var up = await client.UploadDirectoryAsync(Local.Path, "/t", new() { Links = links }).Soon();
            Assert.That((up.Files, up.Failures.Single().Error!.Error), Is.EqualTo((1L, TransferError.Unsupported)));
        }
        store.AddFile("/s/a", [1]);
        store.AddLink("/s/l", "a");
        using var back = new TempFolder();
        var down = await client.DownloadDirectoryAsync("/s", back.Path, new() { Links = links }).Soon();
        Assert.That((down.Files, down.Failures.Single().Error!.Error), Is.EqualTo((1L, TransferError.Unsupported)));
    }

    [Test]
    public async Task One_link_that_fails_does_not_hide_the_rest()
    {
        for (var i = 0; i < 600; i++) File.CreateSymbolicLink(Local[$"l{i}"], "x");
        Store.Faults.On("link", new Fault { Refuse = new TransferException(TransferError.Denied, "no") }, 300);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Links = LinkHandling.Copy }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((599L, 1L)));
    }

    [Test]
    public async Task Going_down_harmless_ones_are_made_and_those_that_lead_out_are_denied()
    {
        Store.AddFile("/s/a", [1]);
        Store.AddLink("/s/sub/good", "../a");
        Store.AddLink("/s/sub/deep/er", "../../sub//good");
        Store.AddLink("/s/later", "no such file");
        var bad = new[] { ("/s/absolute", "/etc/passwd"), ("/s/up", "../x"), ("/s/sub/up2", "../../x"),
            ("/s/sub/behind", "../sub/deep/../../../x"), ("/s/empty", ""), ("/s/root", "..") };
        foreach (var (path, target) in bad) Store.AddLink(path, target);

        var result = await Client.DownloadDirectoryAsync("/s", Local["t"], new() { Links = LinkHandling.Copy }).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((4L, 6L)));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.All.EqualTo(TransferError.Denied));
        Assert.That(result.Failures.Select(item => "/s/" + item.Path), Is.EquivalentTo(bad.Select(link => link.Item1)));
        Assert.That(new FileInfo(Local["t/sub/good"]).LinkTarget, Is.EqualTo("../a"));
        Assert.That(new FileInfo(Local["t/sub/deep/er"]).LinkTarget, Is.EqualTo("../../sub//good"));
        Assert.That(new FileInfo(Local["t/later"]).LinkTarget, Is.EqualTo("no such file"));
        Assert.That(File.GetLastWriteTimeUtc(Local["t/later"]), Is.EqualTo(DateTime.UnixEpoch));
        foreach (var (path, _) in bad) Assert.That(new FileInfo(Local["t" + path[2..]]).LinkTarget, Is.Null, path);
    }

    [Test]
    public async Task A_link_through_one_that_was_there_and_leads_out_is_denied()
    {
        using var outside = new TempFolder();
        Directory.CreateSymbolicLink(Local["mine"], outside.Path);
        Store.AddLink("/s/l", "mine/x");
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path, new() { Links = LinkHandling.Copy }).Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(new FileInfo(Local["l"]).LinkTarget, Is.Null);
    }

    [Test]
    public async Task What_is_there_is_replaced_only_when_asked_and_never_a_folder()
    {
        Local.Add("file", [1]);
        Directory.CreateDirectory(Local["folder"]);
        Directory.CreateSymbolicLink(Local["link"], "folder");
        foreach (var name in new[] { "file", "folder", "link" }) Store.AddLink("/s/" + name, "sub");
        Store.AddDirectory("/s/sub");

        var kept = await Client.DownloadDirectoryAsync("/s", Local.Path, new() { Links = LinkHandling.Copy }).Soon();
        Assert.That((kept.Files, kept.Failed), Is.EqualTo((0L, 3L)));
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path,
            new() { Links = LinkHandling.Copy, Overwrite = OverwriteMode.Always }).Soon();

        Assert.That((result.Files, result.Failures.Single().Path, result.Failures.Single().Error!.Error),
            Is.EqualTo((2L, "folder", TransferError.Exists)));
        Assert.That(new FileInfo(Local["file"]).LinkTarget, Is.EqualTo("sub"));
        Assert.That(new FileInfo(Local["link"]).LinkTarget, Is.EqualTo("sub"));
        Assert.That(Directory.EnumerateFileSystemEntries(Local.Path), Has.Exactly(4).Items, "no temporary name is left");
    }

    [Test]
    public async Task Going_down_they_are_followed_within_the_folder()
    {
        Store.AddFile("/s/sub/a", [1, 2], Samples.Time);
        Store.AddFile("/outside/b", [3]);
        Store.AddLink("/s/link", "sub/a");
        Store.AddLink("/s/dir", "/s/sub");
        Store.AddLink("/s/sub/up", "..");
        Store.AddLink("/s/out", "../outside");
        Store.AddLink("/s/dangling", "nowhere");
        Store.AddLink("/s/round", "round");

        var result = await Client.DownloadDirectoryAsync("/s", Local.Path, new() { Links = LinkHandling.Follow }).Soon();

        Assert.That(Local.Files, Is.EquivalentTo(new[] { "sub/a", "link", "dir/a" }));
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((3L, 4L, 1L)));
        Assert.That((result.Failures.Single().Path, result.Failures.Single().Error!.Error), Is.EqualTo(("out", TransferError.Denied)));
        Assert.That(File.GetLastWriteTimeUtc(Local["link"]), Is.EqualTo(Samples.Time.UtcDateTime));
    }

    [Test]
    public async Task The_folder_itself_may_be_a_link()
    {
        Store.AddFile("/real/a", [1]);
        Store.AddLink("/real/l", "a");
        Store.AddLink("/s", "real");
        var result = await Client.DownloadDirectoryAsync("/s", Local["t"], new() { Links = LinkHandling.Follow }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
        Directory.CreateSymbolicLink(Local["u"], Local["t"]);
        File.CreateSymbolicLink(Local["t/m"], "a");
        result = await Client.UploadDirectoryAsync(Local["u"], "/back", new() { Links = LinkHandling.Follow }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((3L, 0L)));
    }

    [Test]
    public async Task Between_servers_they_keep_their_text()
    {
        var other = new MemoryStore();
        await using var target = new MemoryTransferClient(other);
        Store.AddFile("/s/a", [1]);
        Store.AddLink("/s/l", "/anywhere/../at all");
        var result = await Client.CopyDirectoryAsync("/s", target, "/t", new() { Links = LinkHandling.Copy }).Soon();
        Assert.That((result.Files, other["/t/l"]!.LinkTarget), Is.EqualTo((2L, "/anywhere/../at all")));
    }

    [Test]
    public async Task The_file_client_makes_and_follows_them_within_its_root()
    {
        using var target = new TempFolder();
        Local.Add("s/a", [1]);
        File.CreateSymbolicLink(Local["s/l"], "a");
        File.CreateSymbolicLink(Local["s/bad"], "/etc/hosts");
        await using var from = new LocalTransferClient(new Uri(Local.Path));
        await using var to = new LocalTransferClient(new Uri(target.Path));
        var copied = await from.CopyDirectoryAsync("s", to, "t", new() { Links = LinkHandling.Copy }).Soon();
        Assert.That((copied.Files, copied.Failures.Single().Error!.Error), Is.EqualTo((2L, TransferError.Denied)));
        Assert.That(new FileInfo(target["t/l"]).LinkTarget, Is.EqualTo("a"));
        var followed = await from.CopyDirectoryAsync("s", to, "u", new() { Links = LinkHandling.Follow }).Soon();
        Assert.That((followed.Files, followed.Failures.Single().Error!.Error), Is.EqualTo((2L, TransferError.Denied)));
        Assert.That(target.Read("u/l"), Is.EqualTo(new byte[] { 1 }));
    }
}
