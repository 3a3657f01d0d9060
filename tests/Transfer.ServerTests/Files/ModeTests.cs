using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>
/// Permissions at every server: those of a replaced file stay, those of set-user-id's kind do not, and chmod does what it says.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Each))]
[Parallelizable]
public sealed class ModeTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const UnixFileMode Usual = (UnixFileMode)0b110_100_100;

    [TestCase(0b110_000_000)]
    [TestCase(0b110_100_000)]
    [TestCase(0b111_101_101)]
    public async Task A_replaced_file_keeps_its_permissions(int mode)
    {
        var source = LocalFile("source", [1, 2, 3]);
        await using var client = Client();
        foreach (var (name, options) in Ways())
        {
            Plant(name, (UnixFileMode)mode);
            await client.UploadFileAsync(source, $"{Remote}/{name}", options);
            Assert.That((File.ReadAllBytes(Server.Local($"{Remote}/{name}")).Length, Mode(name)), Is.EqualTo((3, (UnixFileMode)mode)),
                name);
        }
    }

    [Test]
    public async Task In_a_folder_too_and_when_it_is_synchronised()
    {
        var source = Directory.CreateDirectory(Path.Combine(Scratch, "tree")).FullName;
        for (var i = 0; i < 30; i++)
        {
            File.WriteAllText(Path.Combine(source, $"f{i}"), "new content");
            Plant($"d/f{i}", (UnixFileMode)(i % 2 == 0 ? 0b110_000_000 : 0b111_101_000));
        }
        await using var client = Client();
        var result = await client.UploadDirectoryAsync(source, Remote + "/d", new DirectoryOptions { Overwrite = OverwriteMode.Always });
        Assert.That((result.Files, result.Failed), Is.EqualTo((30L, 0L)));
        AssertModes();
        for (var i = 0; i < 30; i++) File.WriteAllText(Path.Combine(source, $"f{i}"), "newer content, and longer");
        await client.SynchronizeAsync(source, Remote + "/d", SyncDirection.Up);
        AssertModes();

        void AssertModes() => Assert.That(
            Enumerable.Range(0, 30).Where(i => Mode($"d/f{i}") != (UnixFileMode)(i % 2 == 0 ? 0b110_000_000 : 0b111_101_000)), Is.Empty);
    }

    [Test]
    public async Task Set_user_id_and_set_group_id_do_not_survive_a_replacement()
    {
        Plant("f", Usual | UnixFileMode.UserExecute | UnixFileMode.SetUser | UnixFileMode.SetGroup);
        await using var client = Client();
        await client.UploadFileAsync(LocalFile("source", [1]), Remote + "/f", new UploadOptions { Overwrite = OverwriteMode.Always });
        Assert.That(Mode("f"), Is.EqualTo(Usual | UnixFileMode.UserExecute));
    }

    [Test]
    public async Task PreserveMode_gives_the_sources_whatever_the_umask()
    {
        var source = LocalFile("source", [1]);
        File.SetUnixFileMode(source, (UnixFileMode)0b110_110_110);
        await using var client = Client();
        await client.UploadFileAsync(source, Remote + "/new", new UploadOptions { PreserveMode = true });
        Plant("old", UnixFileMode.UserRead | UnixFileMode.UserWrite);
        await client.UploadFileAsync(source, Remote + "/old", new UploadOptions { PreserveMode = true, Overwrite = OverwriteMode.Always });
        Assert.That((Mode("new"), Mode("old")), Is.EqualTo(((UnixFileMode)0b110_110_110, (UnixFileMode)0b110_110_110)));
    }

    [Test]
    public async Task Chmod_changes_one_or_all()
    {
        Plant("d/a", Usual);
        Plant("d/sub/b", Usual | UnixFileMode.UserExecute);
        File.CreateSymbolicLink(Server.Local(Remote + "/d/link"), "/etc/hostname");
        await using var client = Client();
        await client.ChangeModeAsync(Remote + "/d/a", ModeChange.Parse("600"));
        Assert.That(Mode("d/a"), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        await client.ChangeModeAsync(Remote + "/d", ModeChange.Parse("g+w,o-rwx"), recursive: true);
        Assert.That((Mode("d/a"), Mode("d/sub/b")), Is.EqualTo(((UnixFileMode)0b110_010_000, (UnixFileMode)0b111_110_000)));
    }

    private static IEnumerable<(string, UploadOptions)> Ways()
    {
        var always = new UploadOptions { Overwrite = OverwriteMode.Always };
        yield return ("plain", always);
        yield return ("hashed", always with { Verify = VerificationMode.Hash });
        yield return ("backup", always with { BackupDirectory = "old" });
        yield return ("direct", always with { Publish = PublishMode.Direct });
    }

    private void Plant(string name, UnixFileMode mode)
    {
        Server.Plant($"{Remote}/{name}", [9]);
        File.SetUnixFileMode(Server.Local($"{Remote}/{name}"), mode);
    }

    private UnixFileMode Mode(string name) => File.GetUnixFileMode(Server.Local($"{Remote}/{name}"));
}
