namespace Transfer.Tests.Ftp.Session;

/// <summary>Servers that cut the reply to STAT of a folder without notice: no entry is skipped or deleted because of that.</summary>
[TestFixture(true)]
[TestFixture(false)]
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed class CutStatTests(bool describes) : IDisposable
{
    private const int Cut = 50;

    // Those below the cut, and above.
    private static readonly int[] Lengths = [3, 20, 80, 49, 51, 60, 10];

    private readonly TempFolder _here = new();

    public void Dispose() => _here.Dispose();

    [Test]
    public async Task Permissions_change_of_all_entries()
    {
        await using var ftp = await StartAsync();
        var changed = await ftp.Client.ChangeModeAsync("/d", ModeChange.Parse("u=rwX,go="), recursive: true).Soon();
        Assert.That(changed, Is.EqualTo(1 + Lengths.Length + Lengths.Sum()), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Work.Select(c => c.Verb), Does.Contain("STAT"));
    }

    [Test]
    public async Task Names_of_a_recursive_listing_are_all()
    {
        await using var ftp = await StartAsync();
        var found = await ftp.Client.ListAsync("/d", new() { Recursive = true, NamesSuffice = true }).Select(e => e.Path).ToListAsync();
        Assert.That(found, Is.Unique.And.Count.EqualTo(Lengths.Length + Lengths.Sum()), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Work.Select(c => c.Verb), Does.Contain("STAT"));
    }

    [Test]
    public async Task Deletions_are_all()
    {
        await using var ftp = await StartAsync();
        await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
        Assert.That(ftp.Store.Files, Is.Empty);
        Assert.That(ftp.Work.Select(c => c.Verb), Does.Contain("STAT"));
    }

    [Test]
    public async Task A_synchronization_sends_nothing_again_and_deletes_what_is_extra([Values] bool deletes)
    {
        await using var ftp = await StartAsync();
        await ftp.Client.DownloadDirectoryAsync("/d", _here.Path).Soon();
        ftp.Store.AddFile("/d/2/zz-extra", [1]);
        var result = await ftp.Client.SynchronizeAsync(_here.Path, "/d", SyncDirection.Up, new() { Delete = deletes }).Soon();
        Assert.That((result.Files, result.Failed, result.Deleted), Is.EqualTo((0L, 0L, deletes ? 1L : 0L)));
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(Lengths.Sum() + (deletes ? 0 : 1)));
    }

    [Test]
    public async Task A_comparison_finds_all_entries_the_same()
    {
        await using var ftp = await StartAsync();
        await ftp.Client.DownloadDirectoryAsync("/d", _here.Path).Soon();
        var outcomes = await ftp.Client.CompareAsync(_here.Path, "/d").Select(item => item.Outcome).ToListAsync();
        Assert.That(outcomes, Has.Count.EqualTo(Lengths.Sum()));
        Assert.That(outcomes, Has.All.EqualTo(ComparisonOutcome.Same));
    }

    [Test]
    public async Task A_download_that_removes_its_sources_takes_all()
    {
        await using var ftp = await StartAsync();
        var result = await ftp.Client.DownloadDirectoryAsync("/d", _here.Path, new() { RemoveSource = true }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo(((long)Lengths.Sum(), 0L)),
            () => $"{result.Failures[0].Error!.Message} {string.Join(' ', ftp.Work)}");
        Assert.That(ftp.Store.Files, Is.Empty);
    }

    private async Task<FtpHarness> StartAsync()
    {
        var ftp = await FtpHarness.StartAsync(new()
        {
            MaxStatusLines = Cut,
            Greeting = describes ? "ProFTPD 1.3.8 Server" : "Transfer test server",
            DisabledCommands = describes ? new HashSet<string>() : new HashSet<string> { "MLSD", "MLST" },
        });
        for (var i = 0; i < Lengths.Length; i++)
        {
            for (var n = 0; n < Lengths[i]; n++) ftp.Store.AddFile($"/d/{i}/{n:D3}", [1]);
        }
        return ftp;
    }
}
