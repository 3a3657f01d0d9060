using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Soak;

/// <summary>
/// <c>watch</c> with an outbox, and a <c>sync --delete --backup-dir</c> a night, for as long as <c>TRANSFER_SOAK_MINUTES</c> says, against
/// a server that is restarted, filled up and cut off at random. At the end both sides are equal, the logs account for every byte, nothing
/// is lost, and memory is flat. <c>./build.sh soak</c> runs it; no other run does.
/// </summary>
[TestFixtureSource(nameof(Servers))]
[Explicit("It takes as long as it is told to.")]
public sealed class SoakTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const string Disk = "96m";
    private const int NightsKept = 8;
    private const long MostGrowth = 12 << 20;

    // The collector leaves garbage lie as long as there is memory: here the memory is to show what is in use. In hexadecimal.
    private static readonly Dictionary<string, string> SmallHeap = new()
    {
        ["DOTNET_GCgen0size"] = "400000",
        ["DOTNET_GCConserveMemory"] = "9",
    };

    private static readonly TimeSpan Length = TimeSpan.FromMinutes(Number("TRANSFER_SOAK_MINUTES", 10));
    private static readonly TimeSpan Day = TimeSpan.FromSeconds(4);

    // Rounds of a watch that fail follow after up to five minutes.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(8);

    private readonly List<long> _memory = [];
    private readonly List<string> _missing = [];

    protected override bool OwnServer => true;

    private string Home => Path.Combine(Scratch, "home");

    private string WatchLog => Path.Combine(Scratch, "watch.log");

    private string SyncLog => Path.Combine(Scratch, "sync.log");

    private string Outbox => Path.Combine(Scratch, "outbox");

    private string Site => Path.Combine(Scratch, "site");

    private string There => Server.Local(Remote);

    public static IEnumerable<TestFixtureData> Servers() =>
    [
        new(ServerKind.Proftpd, ServerVariant.Plain),
        new(ServerKind.OpenSsh, ServerVariant.Sftp),
    ];

    [SetUp]
    public void Mount()
    {
        Shell.Run("mount", "-t", "tmpfs", "-o", $"size={Disk},mode=755,uid={ServerUser.Uid},gid={ServerUser.Gid}", "tmpfs", There);
        foreach (var folder in (string[])[Home, Outbox, Site]) Directory.CreateDirectory(folder);
    }

    [TearDown]
    public void Unmount() => Shell.Run("umount", "--lazy", There);

    [Test]
    public async Task Nothing_is_lost_in_years_of_trouble()
    {
        var seed = Number("TRANSFER_SOAK_SEED", Environment.TickCount);
        var (outbox, site) = (new SoakOutbox(Outbox, new Random(seed)), new SoakSite(Site, new Random(seed + 1)));
        var trouble = new SoakTrouble(Server, There, new Random(seed + 2));
        site.Fill();
        using var watch = new RunningCommand(Server, Home, ["watch", .. Common(WatchLog), "--settle", "0.3", "--interval", "1",
            "--move-source-to", Path.Combine(Scratch, "sent"), Outbox, Url("in")], SmallHeap);
        using var end = new CancellationTokenSource(Length);
        Task[] work = [trouble.RunAsync(end.Token), WriteAsync(outbox, end.Token), WatchMemoryAsync(watch, end.Token)];
        var nights = await SyncEachNightAsync(site, end.Token);
        await Task.WhenAll(work);

        for (var limit = Stopwatch.StartNew(); outbox.Waiting > 0 && !watch.HasEnded && limit.Elapsed < Patience;)
            await Task.Delay(Day);
        watch.Interrupt();
        var watched = await watch.EndAsync();
        var last = await NightAsync(nights);
        var (sent, synced) = (SoakLog.Read(WatchLog), SoakLog.Read(SyncLog));
        var files = outbox.Lengths.Values.Sum(all => all.Count);
        await TestContext.Out.WriteLineAsync($"{Kind}, seed {seed}: {trouble}; {files} files watched, {nights + 1} nights, "
            + $"{sent.Failures + synced.Failures} failures on the way; memory in KiB: {string.Join(' ', _memory)}");
        Assert.Multiple(() =>
        {
            Assert.That((watched.ExitCode, last.ExitCode), Is.EqualTo((0, 0)), $"{watched.Errors}\n{last.Errors}");
            Assert.That(outbox.Waiting, Is.Zero, "the outbox is empty");
            AssertWatched(outbox, sent);
            AssertSynced(synced);
            Assert.That(_missing, Is.Empty, "what a night replaced or deleted is in a backup");
            AssertMemory();
        });
    }

    private static async Task WriteAsync(SoakOutbox outbox, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            await outbox.WriteAsync();
            await Task.Delay(150, CancellationToken.None);
        }
    }

    private async Task WatchMemoryAsync(RunningCommand watch, CancellationToken end)
    {
        while (!end.IsCancellationRequested && !watch.HasEnded)
        {
            _memory.Add(watch.ResidentKibibytes());
            await Task.Delay(TimeSpan.FromSeconds(5), end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task<int> SyncEachNightAsync(SoakSite site, CancellationToken end)
    {
        var night = 0;
        while (!end.IsCancellationRequested)
        {
            await NightAsync(night++);
            site.Change();
            await Task.Delay(Day, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return night;
    }

    // What was at the server is there afterwards, or in a backup: also where the night ends in the middle.
    private async Task<TransferCommand.Outcome> NightAsync(int night)
    {
        var (www, old) = (Path.Combine(There, "www"), Path.Combine(There, "old"));
        var before = SoakSite.HashesIn(www);
        before.UnionWith(SoakSite.HashesIn(old));
        var backup = string.Create(CultureInfo.InvariantCulture, $"{Remote}/old/{night}");
        var run = await TransferCommand.RunAsync(Server, Home, _ => Task.CompletedTask,
            ["sync", .. Common(SyncLog), "--delete", "--backup-dir", backup, Site, Url("www")]);
        before.ExceptWith(SoakSite.HashesIn(www));
        before.ExceptWith(SoakSite.HashesIn(old));
        foreach (var lost in before) _missing.Add($"night {night}: {lost}");

        // An operator keeps some nights.
        var tooOld = Path.Combine(old, (night - NightsKept).ToString(CultureInfo.InvariantCulture));
        if (Directory.Exists(tooOld)) Directory.Delete(tooOld, recursive: true);
        return run;
    }

    private IReadOnlyList<string> Common(string log) =>
    [
        "--quiet", "--retries", "2", "--timeout", "8", "--login-timeout", "10", "--log", log, "--log-format", "jsonl",
        "--user", Server.Credential.UserName, .. Server is SshServer ssh ? (string[])["--known-hosts", ssh.KnownHosts] : [],
    ];

    private string Url(string folder) => $"{Server.Url().GetLeftPart(UriPartial.Authority)}{Remote}/{folder}";

    private void AssertWatched(SoakOutbox outbox, SoakLog log)
    {
        foreach (var (name, lengths) in outbox.Lengths)
        {
            var there = Path.Combine(There, "in", name);
            if (!File.Exists(there)) Assert.Fail($"{name} is lost");
            else if (Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(there))) != outbox.Hashes[name])
                Assert.Fail($"{name} is another version");
            var sent = log.Sent.GetValueOrDefault(name) ?? [];
            if (!log.Doubtful.Contains(name) && !sent.SequenceEqual(lengths))
                Assert.Fail($"{name}: the log has {string.Join(' ', sent)}, and {string.Join(' ', lengths)} were written");
        }

        Assert.That(TestTree.Leftovers(Path.Combine(There, "in")), Is.Empty, "unfinished files");
        Assert.That(log.Runs, Is.EqualTo((1, 1)));
    }

    private void AssertSynced(SoakLog log)
    {
        var www = Path.Combine(There, "www");
        Assert.That(TestTree.Differences(Site, www, TimeSpan.FromSeconds(2)), Is.Empty, "both sides are equal");
        foreach (var path in Directory.EnumerateFiles(www, "*", SearchOption.AllDirectories))
        {
            var name = Path.GetRelativePath(www, path);
            if (log.Doubtful.Contains(name)) continue;
            Assert.That(log.Files.GetValueOrDefault(name, -1), Is.EqualTo(new FileInfo(path).Length), $"the log's length of {name}");
        }

        var names = Directory.EnumerateFiles(www, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(www, path));
        Assert.That(log.Files.Keys.Except(names).Except(log.Doubtful), Is.Empty, "files of the log that are not there");
        Assert.That(log.Runs.Ended, Is.EqualTo(log.Runs.Begun));
    }

    private void AssertMemory()
    {
        var quarter = _memory.Count / 4;
        if (quarter == 0) return;
        var (early, late) = (_memory.Skip(quarter).Take(quarter).Max(), _memory.TakeLast(quarter).Max());
        Assert.That((late - early) * 1024, Is.LessThan(MostGrowth), "the memory of the watch grows");
    }

    private static int Number(string variable, int usual) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : usual;
}
