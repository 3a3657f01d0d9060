using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Sync;

/// <summary>Against a server whose listings have minutes or days, on a clock in a zone that it does not tell.</summary>
public sealed class SyncListingTests
{
    // The server shows the time of day for the last half year. At this one it is neither midnight nor near it, in any zone.
    private static readonly DateTimeOffset Recent = new(DateTime.UtcNow.Date.AddDays(-10).AddHours(12).AddMinutes(7).AddSeconds(12),
        TimeSpan.Zero);
    private static readonly DateTimeOffset Old = new(2019, 5, 4, 15, 7, 12, TimeSpan.Zero);

    private TempFolder _local = null!;

    [SetUp]
    public void SetUp() => _local = new TempFolder();

    [TearDown]
    public void TearDown() => _local.Dispose();

    [Test]
    public async Task Minutes_that_agree_are_enough()
    {
        await using var ftp = await StartAsync();
        Both(ftp, "a", Recent, Recent);
        Both(ftp, "b", Recent, Recent.AddSeconds(-10));
        Assert.That(await UpAsync(ftp), Is.EqualTo((0L, 2L)));
        Assert.That(Asked(ftp), Is.Zero);
    }

    [TestCase(2)]
    [TestCase(-11)]
    public async Task A_zone_that_was_not_known_is_found_by_asking_for_one_file(int hours)
    {
        await using var ftp = await StartAsync(hours);
        for (var i = 0; i < 20; i++)
        {
            Both(ftp, $"d/f{i}", Recent.AddMinutes(i), Recent.AddMinutes(i));
            Both(ftp, $"e/deep/f{i}", Recent.AddMinutes(i), Recent.AddMinutes(i));
        }
        Both(ftp, "d/changed", Recent.AddMinutes(37), Recent);
        var (sent, unchanged) = await UpAsync(ftp);
        Assert.That((sent, unchanged), Is.EqualTo((1L, 40L)));
        Assert.That(Asked(ftp), Is.EqualTo(2)); // one of d, and the changed file; the other folder comes later and asks for none
    }

    [Test]
    public async Task Two_distances_may_both_be_right_as_with_summer_time()
    {
        await using var ftp = await StartAsync();
        for (var i = 0; i < 5; i++) Both(ftp, $"f{i}", Recent.AddHours(1), Recent.AddHours(1));
        Both(ftp, "changed", Recent.AddHours(1), Recent);
        Assert.That(await UpAsync(ftp), Is.EqualTo((1L, 5L))); // an hour's distance is no zone's when the exact times differ
    }

    [TestCase(-9)]
    [TestCase(31)]
    public async Task A_server_whose_clock_is_wrong_gets_nothing_twice(int hours)
    {
        var clock = new ShiftedTime(TimeSpan.FromHours(hours));
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { TimeProvider = clock, Store = new global::Transfer.Testing.MemoryStore(time: clock) });
        for (var i = 0; i < 10; i++) _local.Add($"f{i}", FtpHarness.Content(100 + i), Recent.AddMinutes(i));
        Assert.That(await UpAsync(ftp), Is.EqualTo((10L, 0L)));
        Assert.That(await UpAsync(ftp), Is.EqualTo((0L, 10L)));
        _local.Add("f3", FtpHarness.Content(103, seed: 5), Recent.AddMinutes(77));
        Assert.That(await UpAsync(ftp), Is.EqualTo((1L, 9L)));
    }

    [Test]
    public async Task Of_old_files_the_day_is_compared()
    {
        await using var ftp = await StartAsync();
        Both(ftp, "same", Old, Old);
        Both(ftp, "day-later", Old.AddDays(1), Old);
        Assert.That(await UpAsync(ftp), Is.EqualTo((1L, 1L)));
        Assert.That(Asked(ftp), Is.EqualTo(1));
    }

    [Test]
    public async Task Of_old_files_in_another_zone_the_exact_time_is_asked_for()
    {
        await using var ftp = await StartAsync(hours: 5);
        for (var i = 0; i < 70; i++) Both(ftp, $"f{i}", Old.AddMinutes(i), Old.AddMinutes(i));
        Assert.That(await UpAsync(ftp), Is.EqualTo((0L, 70L)));
    }

    [Test]
    public async Task Of_dates_with_two_meanings_the_exact_time_is_asked_for()
    {
        await using var ftp = await StartAsync();
        Both(ftp, "same", Old, Old);
        Both(ftp, "changed", Old.AddDays(1), Old);
        ftp.Server.Faults.SendData("LIST",
            "-rw-r--r-- 1 u g 1 04/05/19 15:07 same\r\n-rw-r--r-- 1 u g 1 04/05/19 15:07 changed\r\n"u8.ToArray(), times: 99);
        Assert.That(await UpAsync(ftp), Is.EqualTo((1L, 1L)));
        Assert.That(Asked(ftp), Is.EqualTo(2));
    }

    [Test]
    public async Task Without_exact_times_what_differs_is_sent()
    {
        await using var ftp = await StartAsync(hours: 1, missing: "MDTM");
        Both(ftp, "a", Recent, Recent);
        Assert.That(await UpAsync(ftp), Is.EqualTo((1L, 0L)));
    }

    [Test]
    public async Task A_file_is_taken_for_moved_only_by_its_exact_time()
    {
        await using var ftp = await StartAsync();
        _local.Add("new", [1, 2, 3], Recent);
        _local.Add("other", [1, 2, 3, 4], Recent);
        ftp.Store.AddFile("/t/old", [1, 2, 3], Recent);
        ftp.Store.AddFile("/t/older", [1, 2, 3, 4], Recent.AddSeconds(1)); // of the same minute
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, new() { Delete = true }).Soon();
        Assert.That((result.Moved, result.Files, result.Deleted), Is.EqualTo((1L, 1L, 1L)));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/t/new", "/t/other" }));
    }

    [Test]
    public async Task What_came_down_is_unchanged_the_next_time()
    {
        await using var ftp = await StartAsync(hours: 3);
        ftp.Store.AddFile("/s/recent", [1], Recent);
        ftp.Store.AddFile("/s/old", [1], Old);
        var first = await ftp.Client.SynchronizeAsync(_local.Path, "/s", SyncDirection.Down).Soon();
        var second = await ftp.Client.SynchronizeAsync(_local.Path, "/s", SyncDirection.Down).Soon();
        Assert.That((first.Files, second.Files, second.Unchanged), Is.EqualTo((2L, 0L, 2L)));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_folder_that_is_listed_as_empty_may_be_one_that_could_not_be_read(bool sure)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/s/a", [1], Recent);
        ftp.Store.AddDirectory("/s/d");
        _local.Add("d/x", [1]);
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/s", SyncDirection.Down,
            new() { Delete = true, DeleteForEmptySource = sure }).Soon();
        Assert.That((result.Deleted, File.Exists(_local["d/x"])), Is.EqualTo((sure ? 1L : 0L, !sure)));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_server_that_cannot_set_times_has_what_is_surely_not_older(bool listsMinutes)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions
        {
            DisabledCommands = new HashSet<string>(listsMinutes ? ["MLSD", "MLST", "MFMT", "SITE UTIME"] : ["MFMT", "SITE UTIME"]),
        });
        await ftp.Client.ConnectAsync();
        Assert.That(ftp.Client.Features.SetsModified, Is.False);
        // The file here was made just now, whatever the time that was given to it.
        Both(ftp, "sent-later", Old, DateTimeOffset.UtcNow.AddDays(3));
        Both(ftp, "changed", Recent, Old);
        Both(ftp, "replaced", Old, Recent);
        var (sent, unchanged) = await UpAsync(ftp);
        Assert.That((sent, unchanged), Is.EqualTo((2L, 1L)));
    }

    [TestCase("MFMT", "502 no")]
    [TestCase("MFMT", "501 no")]
    [TestCase("MFMT", "550 no")]
    [TestCase("MFMT", "553 no")]
    [TestCase("SITE", "500 no")]
    [TestCase("SITE", "550 no")]
    [TestCase("MFMT", "213 so be it")] // and is not
    [TestCase("SITE", "200 so be it")]
    public async Task A_time_that_is_announced_and_not_kept_has_nothing_sent_twice(string verb, string refusal)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions
        {
            Greeting = refusal[0] == '2' ? "Welcome" : "Transfer test server ready",
            DisabledCommands = new HashSet<string>(verb == "SITE" ? ["MFMT"] : []),
        });
        ftp.Server.Faults.Reply(verb, refusal, times: 999);
        _local.Add("a", [1], Old);
        _local.Add("b", [1], Old);
        Assert.That(await UpAsync(ftp), Is.EqualTo((2L, 0L)));
        Assert.That(await UpAsync(ftp), Is.EqualTo((0L, 2L)));
        ftp.Server.Faults.Clear();
        _local.Add("c", [1], Old);
        Assert.That(await UpAsync(ftp), Is.EqualTo((1L, 2L)));
        Assert.That(ftp.Client.Features.SetsModified, Is.EqualTo((verb, refusal) != ("SITE", "500 no")));
    }

    [Test]
    public async Task A_server_that_hashes_is_not_read_back()
    {
        await using var ftp = await FtpHarness.StartAsync();
        Both(ftp, "same", Recent, Old);
        _local.Add("changed", [1, 2], Recent);
        ftp.Store.AddFile("/t/changed", [1, 3], Recent);
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, new() { Compare = SyncComparison.Hash }).Soon();
        Assert.That((result.Files, result.Unchanged, result.ReadBack), Is.EqualTo((1L, 1L, 0L)));
        Assert.That(ftp.Store.ReadFile("/t/changed"), Is.EqualTo(new byte[] { 1, 2 }));
    }

    [TestCase("Transfer test server ready")]
    [TestCase("(vsFTPd 3.0.3)")]
    public async Task What_comes_down_has_its_exact_time_and_is_unchanged_afterwards(string greeting)
    {
        // The listing is two hours off, which nobody tells.
        await using var ftp = await StartAsync(hours: 2, greeting: greeting);
        for (var i = 0; i < 12; i++) ftp.Store.AddFile($"/t/f{i}", [1], Recent.AddSeconds(i));
        ftp.Store.AddFile("/t/old", [1], Old);
        ftp.Store.AddFile("/t/large", new byte[2 << 20], Old.AddSeconds(1));
        Assert.That((await DownAsync(ftp)).Files, Is.EqualTo(14));
        var times = Directory.EnumerateFiles(_local.Path).ToDictionary(file => Path.GetFileName(file),
            file => (DateTimeOffset)File.GetLastWriteTimeUtc(file));
        for (var i = 0; i < 12; i++) Assert.That(times[$"f{i}"], Is.EqualTo(Recent.AddSeconds(i)));
        Assert.That((times["old"], times["large"]), Is.EqualTo((Old, Old.AddSeconds(1))));
        Assert.That((await DownAsync(ftp)).Unchanged, Is.EqualTo(14));
    }

    [Test]
    public async Task Without_MDTM_what_comes_down_has_the_listed_time()
    {
        await using var ftp = await StartAsync(missing: "MDTM");
        ftp.Store.AddFile("/t/a", [1], Old);
        Assert.That((await DownAsync(ftp)).Files, Is.EqualTo(1));
        Assert.That(File.GetLastWriteTimeUtc(_local["a"]), Is.EqualTo(Old.UtcDateTime.Date));
    }

    [TestCase(false, FtpPipelining.Auto)]
    [TestCase(true, FtpPipelining.Off)]
    public async Task Nobody_asks_for_a_time_that_is_not_wanted_or_costs_a_round_trip(bool preserve, FtpPipelining pipelining)
    {
        await using var ftp = await StartAsync(pipelining: pipelining);
        ftp.Store.AddFile("/t/a", [1], Old);
        Assert.That((await ftp.Client.DownloadDirectoryAsync("/t", _local.Path, new() { PreserveModified = preserve }).Soon()).Files,
            Is.EqualTo(1));
        Assert.That(Asked(ftp), Is.Zero);
    }

    private static Task<FtpHarness> StartAsync(
        int hours = 0, string? missing = null, string greeting = "Transfer test server ready",
        FtpPipelining pipelining = FtpPipelining.Auto) => FtpHarness.StartAsync(
        new FtpTestServerOptions
        {
            DisabledCommands = new HashSet<string>(["MLSD", "MLST", .. missing is null ? [] : new[] { missing }]),
            Greeting = greeting
        },
        FtpHarness.Options with { ListingOffset = TimeSpan.FromHours(hours), Pipelining = pipelining });

    private static int Asked(FtpHarness ftp) =>
        ftp.Server.Commands.Count(command => command.Verb == "MDTM" && command.Argument.StartsWith("/t/", StringComparison.Ordinal));

    private async Task<JobResult> DownAsync(FtpHarness ftp)
    {
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Down).Soon();
        Assert.That(result.Failures, Is.Empty);
        return result;
    }

    private async Task<(long Sent, long Unchanged)> UpAsync(FtpHarness ftp)
    {
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up).Soon();
        Assert.That(result.Failures, Is.Empty);
        return (result.Files, result.Unchanged);
    }

    private void Both(FtpHarness ftp, string name, DateTimeOffset ours, DateTimeOffset theirs)
    {
        _local.Add(name, [1], ours);
        ftp.Store.AddFile("/t/" + name, [1], theirs);
    }
}
