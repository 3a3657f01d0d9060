using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>
/// A folder that may be read and not entered: OpenSSH and ProFTPD list no names there, and report success. It is not taken for empty.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Usual))]
[Parallelizable]
public sealed class ClosedFolderTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const UnixFileMode ReadOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
        | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    [SetUp]
    public void MakeTree()
    {
        foreach (var file in (string[])["y/a", "y/bad/b", "y/bad/deep/c"]) Server.Plant($"{Remote}/{file}", [1]);
        var closed = Server.Local(Remote + "/y/bad");
        Shell.Run("chown", "0:0", closed);
        File.SetUnixFileMode(closed, ReadOnly);
    }

    [Test]
    public async Task Nothing_is_deleted_for_what_it_does_not_show()
    {
        Directory.CreateDirectory(Path.Combine(Scratch, "bad/deep"));
        foreach (var file in (string[])["a", "old", "bad/b", "bad/deep/c"]) LocalFile(file, [1]);
        await using var client = Client();
        var result = await client.SynchronizeAsync(Scratch, Remote + "/y", SyncDirection.Down, new SyncOptions { Delete = true });
        Assert.That(result.Failures.Select(item => item.Path), Has.Some.StartsWith("bad"));
        Assert.That(((string[])["bad/b", "bad/deep/c"]).Select(name => File.Exists(Path.Combine(Scratch, name))), Is.All.True);
    }

    [Test]
    public async Task A_download_names_it()
    {
        await using var client = Client();
        var result = await client.DownloadDirectoryAsync(Remote + "/y", Scratch);
        Assert.That(result.Failures.Select(item => item.Path), Has.Some.StartsWith("bad"));
        Assert.That(File.Exists(Path.Combine(Scratch, "a")));
    }

    [Test]
    public async Task An_empty_folder_that_may_be_entered_is_empty()
    {
        var empty = Directory.CreateDirectory(Server.Local(Remote + "/empty"));
        ServerUser.Own(empty.FullName);
        await using var client = Client();
        Assert.That(await client.ListAsync(Remote + "/empty").ToListAsync(), Is.Empty);
    }
}
