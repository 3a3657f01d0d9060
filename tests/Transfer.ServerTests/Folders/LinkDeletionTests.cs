using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>
/// Links in folders that are deleted, at every server, and at those that can be set to show links as what they lead to: what they lead to
/// stays.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Links))]
[Parallelizable]
public sealed class LinkDeletionTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private string There => Server.Local(Remote);

    [SetUp]
    public void MakeTree()
    {
        foreach (var file in (string[])["other/precious", "other/deep/precious", "t/file", "t/sub/deep/file", "t/.hidden/deep/file"])
            Server.Plant($"{Remote}/{file}", [1, 2, 3]);
        Link("t/outside", "../other");
        Link("t/itself", ".");
        Link("t/sub/above", "..");
        Link("t/to file", "file");
        Shell.Run("chown", "-hR", $"{ServerUser.Uid}", There);
    }

    [Test]
    public async Task A_folder_is_deleted_with_its_links_and_nothing_that_they_lead_to()
    {
        await using var client = Client();
        Assert.That(await client.DeleteAsync(Remote + "/t", recursive: true), Is.True);
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "other" }));
        AssertPrecious();
    }

    [Test]
    public async Task Of_a_link_the_link_is_deleted([Values] bool recursive)
    {
        await using var client = Client();
        Assert.That(await client.DeleteAsync(Remote + "/t/outside", recursive), Is.True);
        Assert.That(new FileInfo(Path.Combine(There, "t/outside")).LinkTarget, Is.Null);
        AssertPrecious();
    }

    [Test]
    public async Task A_synchronisation_deletes_links_and_nothing_behind_them()
    {
        await using var client = Client();
        LocalFile("new", [9]);
        var result = await client.SynchronizeAsync(Scratch, Remote + "/t", SyncDirection.Up, new SyncOptions { Delete = true });
        Assert.That(result.Failed, Is.Zero, string.Join('\n', result.Failures.Select(item => $"{item.Path}: {item.Error}")));
        Assert.That(Directory.EnumerateFileSystemEntries(Path.Combine(There, "t")).Select(Path.GetFileName), Is.EqualTo(new[] { "new" }));
        AssertPrecious();
    }

    [Test]
    public async Task Nothing_is_deleted_behind_a_link_that_the_source_has_as_a_folder()
    {
        await using var client = Client();
        Directory.CreateDirectory(Path.Combine(Scratch, "outside"));
        LocalFile("outside/new", [9]);
        await client.SynchronizeAsync(Scratch, Remote + "/t", SyncDirection.Up, new SyncOptions { Delete = true });
        AssertPrecious();
    }

    // A download enters what the listing shows as a folder.
    [Test]
    public async Task No_source_is_taken_away_behind_a_link([Values] bool moves)
    {
        foreach (var loop in (string[])["t/itself", "t/sub/above"]) File.Delete(Path.Combine(There, loop));
        await using var client = Client();
        var result = await client.DownloadDirectoryAsync(Remote + "/t", Scratch,
            new() { RemoveSource = !moves, MoveSourceTo = moves ? Remote + "/done" : null });
        AssertPrecious();
        // A link whose file went first leads to nothing, and may stay.
        Assert.That(
            result.Failures.Select(item => item.Path), Is.SubsetOf(new[] { "outside/precious", "outside/deep/precious", "to file" }));
        Assert.That(Server.Local(Remote + "/t/sub/deep/file"), Does.Not.Exist);
        Assert.That(Server.Local(Remote + "/done/sub/deep/file"), moves ? Does.Exist : Does.Not.Exist);
    }

    private void AssertPrecious() =>
        Assert.That(new[] { "other/precious", "other/deep/precious" }.Select(name => File.Exists(Path.Combine(There, name))), Is.All.True);

    private void Link(string path, string target) => File.CreateSymbolicLink(Path.Combine(There, path), target);
}
