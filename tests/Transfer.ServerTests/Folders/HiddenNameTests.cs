using System.Globalization;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>Servers that show names with a leading dot only where asked: an operation on a tree reaches them all the same.</summary>
[TestFixtureSource(nameof(Hiding))]
[Parallelizable]
public sealed class HiddenNameTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Folders = 30;
    private const UnixFileMode Own = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    protected override bool OwnServer => true;

    public static IEnumerable<TestFixtureData> Hiding =>
        [new(ServerKind.PureFtpd, ServerVariant.Plain with { Name = "HidesDots", ListingLimit = "20000:20" }),
        new(ServerKind.Vsftpd, ServerVariant.Plain with { Name = "HidesDots", VsftpdSettings = "force_dot_files=NO" })];

    // None is in the first folder, by which the ways to list are compared.
    [SetUp]
    public void MakeTree()
    {
        for (var i = 0; i < Folders; i++)
        {
            foreach (var file in (string[])[".hidden", ".h/f", "f", "v/f"])
                Server.Plant(string.Create(CultureInfo.InvariantCulture, $"{Remote}/t/d{i}/{file}"), [1]);
        }
    }

    [Test]
    public async Task Permissions_of_all_are_changed()
    {
        await using var client = Client();
        Assert.That(await client.ChangeModeAsync(Remote + "/t", ModeChange.Parse("700"), recursive: true),
            Is.EqualTo(1 + (Folders * 7)));
        var all = Directory.GetFileSystemEntries(Server.Local(Remote + "/t"), "*",
            new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.None });
        Assert.That(all.Where(path => File.GetUnixFileMode(path) != Own), Is.Empty);
    }

    [Test]
    public async Task All_are_deleted()
    {
        await using var client = Client();
        await client.DeleteAsync(Remote + "/t", recursive: true);
        Assert.That(Server.Local(Remote + "/t"), Does.Not.Exist);
    }
}
