using System.Globalization;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>More commands at once than one read of a server has, with names of every length, so that reads end anywhere.</summary>
[Parallelizable]
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.MainFtp))]
public sealed class ManyChangesTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Folders = 30;
    private const int Files = 200;
    private const UnixFileMode Others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    [Test]
    public async Task Every_command_of_a_long_flight_is_taken_for_itself()
    {
        var root = Server.Local(Remote + "/t");
        for (var i = 0; i < Folders * Files; i++)
        {
            var folder = Directory.CreateDirectory(Path.Combine(root, (i % Folders).ToString("'d'0", CultureInfo.InvariantCulture)));
            File.WriteAllBytes(Path.Combine(folder.FullName, $"{i}{new string('n', i % 37)}"), []);
        }
        ServerUser.Own(root);
        await using var client = Client(options => options with { MaxSessions = 1 });
        var changed = await client.ChangeModeAsync(Remote + "/t", ModeChange.Parse("go="), recursive: true);
        Assert.That(changed, Is.EqualTo(1 + Folders + (Folders * Files)));
        var files = Directory.GetFiles(root, "*", SearchOption.AllDirectories);
        Assert.That(files, Has.Length.EqualTo(Folders * Files));
        Assert.That(files.Where(path => (File.GetUnixFileMode(path) & Others) != UnixFileMode.None), Is.Empty);
        await client.DeleteAsync(Remote + "/t", recursive: true);
        Assert.That(Directory.Exists(root), Is.False);
        Assert.That((await client.ProbeAsync()).Abilities.Where(ability => ability is { Name: "EvenLines", IsFallBack: true }), Is.Empty);
    }
}
