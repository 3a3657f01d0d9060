using System.Globalization;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>Folders in which nothing is new: the server's entries are found by STAT, and described by MLST where there is one.</summary>
[Parallelizable]
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.MainFtp))]
public sealed class SyncFindTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Folders = 60;

    private static readonly DateTime Recent = DateTime.UtcNow.Date.AddDays(-20).AddHours(11).AddMinutes(17).AddSeconds(42);

    [Test]
    public async Task Nothing_new_is_found_in_few_flights()
    {
        var source = Path.Combine(Scratch, "source");
        for (var i = 0; i < Folders; i++)
        {
            var folder = Directory.CreateDirectory(Path.Combine(source, i.ToString("'folder-'00", CultureInfo.InvariantCulture))).FullName;
            foreach (var name in (string[])["one", "with space", "höher"])
            {
                File.WriteAllBytes(Path.Combine(folder, name), [1, 2, 3]);
                File.SetLastWriteTimeUtc(Path.Combine(folder, name), Recent.AddMinutes(i));
            }
        }
        await using (var client = Client())
            Assert.That((await client.SynchronizeAsync(source, Remote, SyncDirection.Up)).Files, Is.EqualTo(3L * Folders));

        using var lines = new LogLines();
        await using var again = Client(options => options with { LoggerFactory = lines });
        var result = await again.SynchronizeAsync(source, Remote, SyncDirection.Up);
        Assert.That((result.Files, result.Unchanged, result.Failed), Is.EqualTo((0L, 3L * Folders, 0L)));
        var found = lines.Of(LogLines.FoundByStat);
        // The root is found too where STAT of this server was compared with a listing before.
        Assert.That(found.Sum(line => int.Parse(line.Split(' ')[6], CultureInfo.InvariantCulture)),
            Is.InRange(Folders, Folders + 1), () => lines.ToString());
        // A flight takes what waits when it begins: on a short link, and on a busy machine, there are more of them.
        Assert.That(found, Has.Count.LessThan(Folders), () => lines.ToString());
    }
}
