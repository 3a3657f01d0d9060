using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.SshNet;

/// <summary>
/// Symbolic links through SSH.NET, which resolves every path before it asks for anything: names are meant, and never what links lead to.
/// </summary>
[TestFixture]
[Parallelizable]
public sealed class SshNetLinkTests() : ServerFixture(ServerKind.SshNet, ServerVariant.Sftp)
{
    private string There => Server.Local(Remote);

    [SetUp]
    public void MakeTree()
    {
        foreach (var file in (string[])["other/precious", "folder/file"]) Server.Plant($"{Remote}/{file}", [1, 2, 3]);
        Link("to file", "other/precious");
        Link("to folder", "other");
        Link("dangling", "nowhere");
        Link("far dangling", "nowhere/at/all");
        Link("circle", "circle");
        Link("folder/up", "../other/precious");
        Shell.Run("chown", "-hR", $"{ServerUser.Uid}", There);
    }

    [TearDown]
    public void What_links_lead_to_is_untouched() =>
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(There, "other", "precious")), [1, 2, 3]);

    [TestCase("to file")]
    [TestCase("to folder")]
    [TestCase("dangling")]
    [TestCase("far dangling")]
    [TestCase("circle")]
    [TestCase("to folder/../to file")]
    public async Task A_link_is_described_and_deleted_as_a_link(string name)
    {
        await using var client = Client();
        var path = $"{Remote}/{name}";

        Assert.That((await client.GetEntryAsync(path))?.Type, Is.EqualTo(RemoteEntryType.Link));
        Assert.That(await client.DeleteAsync(path), Is.True);

        Assert.That(Exists(name), Is.False);
        Assert.That(await client.GetEntryAsync(path), Is.Null);
    }

    [Test]
    public async Task A_file_behind_a_link_to_a_folder_is_a_file()
    {
        await using var client = Client();

        var entry = await client.GetEntryAsync(Remote + "/to folder/precious");

        Assert.That((entry?.Type, entry?.Length), Is.EqualTo((RemoteEntryType.File, 3L)));
        Assert.That(await client.GetEntryAsync(Remote + "/to folder/absent"), Is.Null);
    }

    [Test]
    public async Task A_listing_shows_links_as_links_and_goes_into_none()
    {
        await using var client = Client();

        var found = new List<(string, RemoteEntryType)>();
        await foreach (var entry in client.ListAsync(Remote, new ListOptions { Recursive = true }))
            found.Add((entry.Path[(Remote.Length + 1)..], entry.Type));

        Assert.That(found, Is.EquivalentTo(new (string, RemoteEntryType)[]
        {
            ("other", RemoteEntryType.Directory), ("other/precious", RemoteEntryType.File), ("folder", RemoteEntryType.Directory),
                ("folder/file", RemoteEntryType.File),
            ("to file", RemoteEntryType.Link), ("to folder", RemoteEntryType.Link), ("dangling", RemoteEntryType.Link),
                ("far dangling", RemoteEntryType.Link), ("circle", RemoteEntryType.Link),
            ("folder/up", RemoteEntryType.Link),
        }));
    }

    [TestCase("to file")]
    [TestCase("dangling")]
    [TestCase("circle")]
    public async Task An_upload_replaces_a_link_and_nothing_that_it_leads_to(string name)
    {
        await using var client = Client();

        await client.UploadFileAsync(LocalFile("new", [7, 8]), $"{Remote}/{name}", new UploadOptions { Overwrite = OverwriteMode.Always });

        Assert.That(new FileInfo(Path.Combine(There, name)).LinkTarget, Is.Null);
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(There, name)), [7, 8]);
        Assert.That(RemoteNames(), Has.Length.EqualTo(7), "nothing is left aside");
    }

    [TestCase("to file")]
    [TestCase("dangling")]
    [TestCase("circle")]
    public async Task An_upload_that_may_not_replace_finds_the_link_in_the_way(string name)
    {
        await using var client = Client();

        var error = (await Assert.CatchAsync<TransferException>(async () =>
            await client.UploadFileAsync(LocalFile("new", [7, 8]), $"{Remote}/{name}")))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        Assert.That(new FileInfo(Path.Combine(There, name)).LinkTarget, Is.Not.Null);
        Assert.That(RemoteNames(), Has.Length.EqualTo(7));
    }

    [TestCase("to file", "other/precious")]
    [TestCase("to folder", "other")]
    [TestCase("dangling", "nowhere")]
    public async Task A_link_moves_as_a_link(string name, string target)
    {
        await using var client = Client();

        await client.MoveAsync($"{Remote}/{name}", $"{Remote}/moved");

        Assert.That((new FileInfo(Path.Combine(There, "moved")).LinkTarget, Exists(name)), Is.EqualTo((target, false)));
    }

    // SSH.NET does not tell to which file a link leads: that file would be lost.
    [Test]
    public async Task A_move_replaces_a_link_and_no_link_replaces_a_file()
    {
        await using var client = Client();

        await client.MoveAsync(Remote + "/folder/file", Remote + "/to file", overwrite: true);
        Assert.That((new FileInfo(Path.Combine(There, "to file")).LinkTarget, Exists("folder/file")), Is.EqualTo(((string?)null, false)));
        var names = RemoteNames();
        Assert.That(async () => await client.MoveAsync(Remote + "/dangling", Remote + "/to file", overwrite: true),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Exists));
        Assert.That((new FileInfo(Path.Combine(There, "to file")).LinkTarget, RemoteNames()), Is.EqualTo(((string?)null, names)));
    }

    [Test]
    public async Task Links_are_followed_when_asked_and_refused_as_what_they_are()
    {
        await using var client = Client();
        Server.Plant(Remote + "/source/inside", [5]);
        File.CreateSymbolicLink(Path.Combine(There, "source", "link"), "inside");
        ServerUser.Own(There);

        var followed = await client.DownloadDirectoryAsync(Remote + "/source", Path.Combine(Scratch, "followed"),
            new DirectoryOptions { Links = LinkHandling.Follow });
        var copied = await client.DownloadDirectoryAsync(Remote + "/source", Path.Combine(Scratch, "copied"),
            new DirectoryOptions { Links = LinkHandling.Copy });

        Assert.That((followed.Files, followed.Failed), Is.EqualTo((2L, 0L)));
        Assert.That(copied.Failures.Select(item => item.Error!.Error), Is.EqualTo(new[] { TransferError.Unsupported }));
        Assert.That(copied.Failures.Single().Error!.Message, Does.Contain("SSH.NET"));
    }

    [Test]
    public async Task Many_links_are_deleted_with_their_folder()
    {
        for (var i = 0; i < 100; i++) Link($"folder/{i}", i % 2 == 0 ? "../other/precious" : $"nowhere{i}");
        Shell.Run("chown", "-hR", $"{ServerUser.Uid}", There);
        await using var client = Client();

        Assert.That(await client.DeleteAsync(Remote + "/folder", recursive: true), Is.True);

        Assert.That(Exists("folder"), Is.False);
    }

    private bool Exists(string name) => new FileInfo(Path.Combine(There, name)) is { Exists: true } or { LinkTarget: not null }
        || Directory.Exists(Path.Combine(There, name));

    private void Link(string path, string target) => File.CreateSymbolicLink(Path.Combine(There, path), target);
}
