using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>
/// A file's name holds a line end and the line of a directory, which a server sends as a line of its own: a link of that name is still not
/// entered, also where the link cannot be deleted.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Links))]
[Parallelizable]
public sealed class ForgedLineTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const UnixFileMode Kept = UnixFileMode.UserRead | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    // What a server is seen to do here is remembered, and is not what other tests expect.
    protected override bool OwnServer => true;

    private string There => Server.Local(Remote);

    [SetUp]
    public void MakeTree()
    {
        foreach (var file in (string[])["other/precious", "other/deep/precious", "t/sub/file"]) Server.Plant($"{Remote}/{file}", [1, 2, 3]);
        File.CreateSymbolicLink(Path.Combine(There, "t/sub/l"), "../../other");
        // A server that shows a link to a file as that file cannot be seen through.
        if (!Variant.FollowsLinks) File.CreateSymbolicLink(Path.Combine(There, "t/sub/f"), "../../other/precious");
        string[] lines = ["type=dir;perm=flcdmpe;modify=20261129100000; l", "drwxrwxrwx   2 1 1     4096 Nov 29 10:00 l",
            "type=file;perm=adfrw;size=3;modify=20261129100000; f", "-rwxrwxrwx   1 1 1        3 Nov 29 10:00 f"];
        foreach (var line in lines) File.WriteAllBytes(Path.Combine(There, "t/sub/m\n" + line), []);
        Shell.Run("chown", "-hR", $"{ServerUser.Uid}", There);
        File.SetUnixFileMode(Path.Combine(There, "other/precious"), Kept);
        File.SetUnixFileMode(Path.Combine(There, "t/sub"), Kept | UnixFileMode.UserExecute);
    }

    [Test]
    public async Task Nothing_is_deleted_behind_the_link()
    {
        await using var client = Client();
        await Assert.CatchAsync<TransferException>(async () => await client.DeleteAsync(Remote + "/t", recursive: true));
        AssertPrecious();
    }

    [Test]
    public async Task No_permissions_are_changed_behind_the_link()
    {
        await using var client = Client();
        try
        {
            await client.ChangeModeAsync(Remote + "/t", ModeChange.Parse("u=rwx"), recursive: true);
        }
        catch (TransferException e)
        {
            TestContext.Out.WriteLine(e.Message);
        }
        AssertPrecious();
    }

    [Test]
    public async Task A_synchronisation_deletes_nothing_behind_the_link()
    {
        await using var client = Client();
        LocalFile("new", [9]);
        await client.SynchronizeAsync(Scratch, Remote + "/t", SyncDirection.Up, new SyncOptions { Delete = true });
        AssertPrecious();
    }

    private void AssertPrecious()
    {
        var precious = Path.Combine(There, "other/precious");
        Assert.That((File.Exists(precious), File.Exists(Path.Combine(There, "other/deep/precious"))), Is.EqualTo((true, true)));
        Assert.That(File.GetUnixFileMode(precious), Is.EqualTo(Kept));
    }
}
