using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>Permissions of folders that are made, where the protocol has them.</summary>
[Parallelizable]
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Sftp))]
public sealed class FolderModeTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    [TestCase(0b111_000_000, 0b111_000_000)]
    [TestCase(0b111_111_111, 0b111_101_101)]
    public async Task A_folder_that_is_made_has_the_sources_permissions_but_for_the_umask(int mode, int expected)
    {
        var source = Directory.CreateDirectory(Path.Combine(Scratch, "tree")).FullName;
        File.WriteAllText(Path.Combine(Directory.CreateDirectory(Path.Combine(source, "d")).FullName, "f"), "x");
        foreach (var folder in new[] { source, Path.Combine(source, "d") }) File.SetUnixFileMode(folder, (UnixFileMode)mode);
        await using var client = Client();
        await client.UploadDirectoryAsync(source, Remote + "/up");
        Assert.That((Mode("/up"), Mode("/up/d")), Is.EqualTo(((UnixFileMode)expected, (UnixFileMode)expected)));
    }

    private UnixFileMode Mode(string path) => File.GetUnixFileMode(Server.Local(Remote + path));
}
