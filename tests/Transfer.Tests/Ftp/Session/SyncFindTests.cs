using System.Text;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// A synchronization without deletions finds the target's entries by STAT, many folders in one flight; MLST describes them in the next.
/// </summary>
public sealed class SyncFindTests
{
    private const int Folders = 40;

    // The root is listed and compared; of the others one finds none waiting, and on a busy machine more do.
    private const int MostFlights = Folders / 4;

    private static readonly FtpTestServerOptions WithMlst = new();
    private static readonly FtpTestServerOptions WithoutMlst = new() { DisabledCommands = new HashSet<string> { "MLSD", "MLST" } };

    private FtpHarness _ftp = null!;
    private TempFolder _here = null!;
    private int _before;

    [TearDown]
    public async Task TearDown()
    {
        _here.Dispose();
        await _ftp.DisposeAsync();
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task Nothing_new_takes_few_flights_and_the_root_alone_is_listed(bool describes)
    {
        await StartAsync(describes ? WithMlst : WithoutMlst);
        Assert.That(await SyncAsync(), Is.EqualTo((0L, 0L)));
        var (stats, mlsts) = (Sent("STAT"), Sent("MLST").Where(c => c.Argument == "f").ToArray());
        Assert.That(Listed, Has.Length.EqualTo(1), () => string.Join(' ', Work));
        Assert.That(stats.Select(c => c.Argument).ToArray(), Is.Unique.And.Length.EqualTo(1 + Folders));
        Assert.That(stats.DistinctBy(c => c.Read).Count(), Is.LessThanOrEqualTo(MostFlights), () => string.Join(' ', Work));
        Assert.That(mlsts, Has.Length.EqualTo(describes ? Folders : 0));
        Assert.That(mlsts.DistinctBy(c => c.Read).Count(), Is.LessThanOrEqualTo(MostFlights), () => string.Join(' ', Work));
        Assert.That(_ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    // One by one the folders would take 800 reads or more. On a quiet machine there are 24 and 11, on a busy one a flight takes fewer
    // folders.
    [TestCase(true)]
    [TestCase(false)]
    [Category(Categories.Slow)]
    public async Task A_tree_of_400_folders_in_two_levels_takes_few_flights(bool describes)
    {
        var server = describes ? WithMlst : WithoutMlst;
        await StartAsync(server, static store =>
        {
            for (var i = 0; i < 400; i++)
            {
                var folder = i < 20 ? $"/d/{i:D2}" : $"/d/{i % 20:D2}/{i / 20:D2}";
                foreach (var name in (string[])["f", "g"]) store.AddFile($"{folder}/{name}", FtpHarness.Content(5, i));
            }
        });
        var far = new LinkOptions { RoundTrip = TimeSpan.FromMilliseconds(60) };
        var there = await FtpHarness.StartAsync(server with { Store = _ftp.Store, Link = far });
        await _ftp.DisposeAsync();
        (_ftp, _before) = (there, 0);
        Assert.That(await SyncAsync(), Is.EqualTo((0L, 0L)));
        Assert.That(Listed, Has.Length.EqualTo(1));
        var reads = Work.DistinctBy(c => (c.Connection, c.Read)).Count();
        Assert.That(reads, Is.LessThanOrEqualTo(80));
    }

    // A time in minutes would hide the difference.
    [Test]
    public async Task A_file_that_differs_by_a_second_is_sent()
    {
        await StartAsync(WithMlst);
        File.SetLastWriteTimeUtc(Here("07/f"), File.GetLastWriteTimeUtc(Here("07/f")).AddSeconds(1));
        Assert.That(await SyncAsync(), Is.EqualTo((1L, 0L)));
        Assert.That(Sent("STAT"), Is.Not.Empty);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task What_the_answer_lacks_is_looked_at_before_it_counts_as_absent(bool describes)
    {
        await StartAsync(describes ? WithMlst : WithoutMlst);
        _ftp.Store.AddFile("/d/07/g", FtpHarness.Content(5, 5));
        await _ftp.Client.DownloadFileAsync("/d/07/g", Here("07/g"));
        _before = _ftp.Work.Count;
        // As Pure-FTPd does above its limit: nothing in the answer tells.
        var cut = _ftp.Server.Faults.Garbage("STAT", Answer(_ftp, "/d/07/f"), path: "/d/07");
        Assert.That(await SyncAsync(), Is.EqualTo((0L, 0L)));
        Assert.That(cut.Fired, Is.EqualTo(1));
        Assert.That(Work.Any(c => c.Verb is "MLST" or "SIZE" && c.Argument == "/d/07/g"));
    }

    [TestCase("MLST", "/d/07/f")]
    [TestCase("CWD", "/d/07")]
    public async Task An_entry_that_MLST_does_not_describe_is_listed_with_its_folder(string refused, string path)
    {
        await StartAsync(WithMlst);
        _ftp.Server.Faults.Reply(refused, "550 No", path: path);
        Assert.That(await SyncAsync(), Is.EqualTo((0L, 0L)));
        Assert.That(Listed, Has.Length.EqualTo(2).And.Contains("/d/07"), () => string.Join(' ', Work));
    }

    [Test]
    public async Task A_folder_with_a_link_is_listed()
    {
        await StartAsync(WithMlst);
        var found = Encoding.ASCII.GetString(Answer(_ftp, "/d/07/f"))
            .Replace("213 End", "lrwxrwxrwx 1 u g 3 Jan  2  2024 to -> /etc\r\n213 End", StringComparison.Ordinal);
        _ftp.Server.Faults.Garbage("STAT", Encoding.ASCII.GetBytes(found), path: "/d/07");
        Assert.That(await SyncAsync(), Is.EqualTo((0L, 0L)));
        Assert.That(Listed, Has.Length.EqualTo(2).And.Contains("/d/07"), () => string.Join(' ', Work));
    }

    [Test]
    public async Task With_deletions_every_folder_is_listed()
    {
        await StartAsync(WithMlst);
        _ftp.Store.AddFile("/d/07/more", [1]);
        Assert.That(await SyncAsync(new SyncOptions { Delete = true }), Is.EqualTo((0L, 0L)));
        Assert.That(_ftp.Store.Files, Has.No.Member("/d/07/more"));
        Assert.That(Sent("STAT"), Is.Empty);
        Assert.That(Listed, Is.SupersetOf(Enumerable.Range(0, Folders).Select(i => $"/d/{i:D2}")));
    }

    [Test]
    public async Task Folders_that_only_the_target_has_are_not_entered_where_nothing_is_deleted()
    {
        await StartAsync(WithMlst);
        _ftp.Store.AddFile("/d/more/below/f", [1]);
        Assert.That(await SyncAsync(), Is.EqualTo((0L, 0L)));
        Assert.That(Work.Where(c => c.Argument.StartsWith("/d/more/", StringComparison.Ordinal)), Is.Empty);
        Assert.That(_ftp.Store.Files, Has.Member("/d/more/below/f"));
    }

    private TestCommand[] Work => [.. _ftp.Work.Skip(_before)];

    private string[] Listed => [.. Work.Where(c => c.Verb is "MLSD" or "LIST").Select(c => c.Verb == "MLSD" ? c.Argument : "LIST")];

    private TestCommand[] Sent(string verb) => [.. Work.Where(c => c.Verb == verb)];

    private string Here(string path) => Path.Combine(_here.Path, path);

    private async Task StartAsync(FtpTestServerOptions server, Action<MemoryStore>? fill = null)
    {
        _here = new TempFolder();
        _ftp = await FtpHarness.StartAsync(server);
        fill ??= store =>
        {
            for (var i = 0; i < Folders; i++) store.AddFile($"/d/{i:D2}/f", FtpHarness.Content(10 + i, i));
        };
        fill(_ftp.Store);
        await _ftp.Client.DownloadDirectoryAsync("/d", _here.Path).Soon();
        _before = _ftp.Work.Count;
    }

    private async Task<(long Files, long Failed)> SyncAsync(SyncOptions? options = null)
    {
        var result = await _ftp.Client.SynchronizeAsync(_here.Path, "/d", SyncDirection.Up, options).Soon();
        return (result.Files, result.Failed);
    }

    private static byte[] Answer(FtpHarness ftp, string path)
    {
        var line = $"-rw-r--r-- 1 u g {ftp.Store.ReadFile(path).Length} Jan  2  2024 {path[(path.LastIndexOf('/') + 1)..]}";
        return Encoding.ASCII.GetBytes($"213-Status follows:\r\n {line}\r\n213 End\r\n");
    }
}
