using System.Runtime.Versioning;
using Transfer.Batch;
using Transfer.TestSupport.Exec;

namespace Transfer.Cli.Tests.Batch;

/// <summary>A download that has taken long file by file: the next files go by tar, and the rest by the faster way.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class DownloadTrialTests : HostFixture, IDisposable
{
    private const int First = 120;
    private const int Later = 480;
    private const int Tried = 60;
    private const int Large = 1;
    private const long All = First + Later + Large;

    private static readonly TimeSpan Slow = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan After = TimeSpan.FromSeconds(30);

    // To the second, as SFTP lists times.
    private static readonly DateTimeOffset Time = new(2026, 5, 1, 12, 0, 0, TimeSpan.Zero);

    private readonly LeapingTime _time = new();
    private readonly DecisionLog _log = new();
    private readonly Collected<ItemResult> _items = new();
    private readonly Collected<TransferProgress> _progress = new();
    private readonly List<string> _listed = [];

    private string Out => Here["out"];

    public void Dispose() => _log.Dispose();

    [Test]
    public async Task The_rest_goes_by_tar_where_that_was_faster()
    {
        Fill();
        await using var host = Host(slowly: "singly");
        var result = await DownloadAsync(host);
        Assert.That((result.Way, result.Reason, result.Files, result.Failed, result.Alone),
            Is.EqualTo((BatchWay.Tar, (string?)null, All, 0L, First + Large)));
        AllIsHere();
        Assert.That(Directory.GetLastWriteTimeUtc(Target), Is.EqualTo(Time.UtcDateTime), "nothing is written there");
        // The folder is listed once.
        Assert.That(_listed, Is.Unique);
        var last = _progress.Values[^1];
        Assert.That((last.Files, last.TotalFiles, last.Bytes, last.TotalBytes),
            Is.EqualTo((All, (long?)All, result.Bytes, (long?)result.Bytes)));
    }

    [Test]
    public async Task The_rest_goes_file_by_file_where_tar_was_no_faster()
    {
        Fill();
        await using var host = Host(slowly: "tar -c");
        var result = await DownloadAsync(host);
        Assert.That((result.Way, result.Files, result.Failed, result.Alone), Is.EqualTo((BatchWay.Files, All, 0L, 0)));
        Assert.That(result.Reason, Does.Contain("no faster"));
        AllIsHere();
        Assert.That(_listed, Is.Unique);
    }

    [TestCase("exit 2", Description = "No file comes in a batch.")]
    [TestCase("if mkdir '{0}' 2>/dev/null; then exit 2; fi; exec /bin/tar \"$@\"", Description = "Some files do not.")]
    public async Task What_tar_fails_to_pack_comes_file_by_file(string packing)
    {
        Fill();
        var once = packing.Replace("{0}", Programs["failed"], StringComparison.Ordinal);
        Program("tar", $"case $1 in --version) exec /bin/tar --version;; *) {once};; esac");
        await using var host = Host(slowly: "singly");
        var result = await DownloadAsync(host);
        Assert.That((result.Way, result.Files, result.Failed), Is.EqualTo((BatchWay.Files, All, 0L)));
        AllIsHere();
    }

    [Test]
    public async Task What_tar_sends_with_another_time_comes_on_its_own()
    {
        Fill();
        // The shell has other files in the same place, of the same lengths.
        Program("tar", $"case $1 in --version) exec /bin/tar --version;; *) exec /bin/tar --mtime='2020-02-02 02:02:02Z' \"$@\";; esac");
        await using var host = Host(slowly: "singly");
        var result = await DownloadAsync(host);
        Assert.That((result.Way, result.Files, result.Failed), Is.EqualTo((BatchWay.Files, All, 0L)));
        AllIsHere();
        Assert.That(TempFolder.FilesIn(Out).Select(file => File.GetLastWriteTimeUtc(Path.Join(Out, file)).Year), Has.None.EqualTo(2020));
    }

    [Test]
    public async Task Without_a_tar_there_all_goes_on_file_by_file()
    {
        Fill();
        Program("tar", "exit 127");
        await using var host = Host(slowly: "singly");
        var result = await DownloadAsync(host);
        Assert.That((result.Way, result.Reason, result.Files, result.Failed),
            Is.EqualTo((BatchWay.Files, "the server has no tar", All, 0L)));
        AllIsHere();
    }

    [Test]
    public async Task A_download_that_takes_no_long_time_starts_no_command()
    {
        Fill();
        await using var host = Host(slowly: "nothing", listsAtOnce: true);
        var result = await DownloadAsync(host);
        Assert.That((result.Way, result.Files, result.Failed, host.Started.Count), Is.EqualTo((BatchWay.Files, All, 0L, 0)));
        AllIsHere();
    }

    [TestCase(OverwriteMode.Always)]
    [TestCase(OverwriteMode.Skip)]
    public async Task Existing_files_are_treated_as_file_by_file(OverwriteMode overwrite)
    {
        Fill();
        foreach (var file in (string[])["out/a1/f1", "out/late/l7", "out/late/deep/d9"]) Here.Add(file, [9]);
        await using var host = Host(slowly: "singly");
        var result = await DownloadAsync(host, new DirectoryOptions { Overwrite = overwrite });
        var kept = overwrite == OverwriteMode.Skip ? 3L : 0;
        Assert.That((result.Way, result.Files, result.Skipped, result.Failed), Is.EqualTo((BatchWay.Tar, All - kept, kept, 0L)));
        Assert.That(Here.Read("out/late/deep/d9"), Has.Length.EqualTo(kept > 0 ? 1 : 30_000));
    }

    [TestCase("tar -c", Description = "In the trial.")]
    [TestCase("deep", Description = "Behind it.")]
    public async Task A_job_that_was_stopped_goes_on_where_it_was(string where)
    {
        Fill();
        TransferJob? job = null;
        await using var host = Host(slowly: "singly",
            starting: command => _ = where == "tar -c" && command.Contains(where, StringComparison.Ordinal) ? job!.StopAsync() : null,
            listing: folder => _ = folder.EndsWith(where, StringComparison.Ordinal) ? job!.StopAsync() : null);
        var options = new DirectoryOptions { Journal = Programs["journal"] };
        job = host.StartDownloadDirectory(Target, Out, Options(options), readItems: true);
        Assert.That(async () => await job.TellAsync(_items), Throws.InstanceOf<OperationCanceledException>());
        var before = _items.Values.Count;
        Assert.That(before, Is.InRange(First, All - 1));
        Assert.That(TempFolder.FilesIn(Out), Has.Length.EqualTo(before));
        await using var again = Host(slowly: "nothing", listsAtOnce: true);
        var rest = await DownloadAsync(again, options with { Resume = true });
        Assert.That((rest.Files, rest.Skipped, rest.Failed), Is.EqualTo((All - before, (long)before, 0L)));
        Assert.That(TempFolder.FilesIn(Out), Is.EqualTo(TempFolder.FilesIn(Target)));
    }

    [Test]
    public async Task A_cancelled_trial_leaves_nothing_unfinished()
    {
        Fill();
        using var cancel = new CancellationTokenSource();
        await using var host = Host(slowly: "singly", starting: command =>
        {
            if (command.Contains("tar -c", StringComparison.Ordinal)) cancel.Cancel();
        });
        var job = host.StartDownloadDirectory(Target, Out, Options(new()), readItems: true, cancellationToken: cancel.Token);
        Assert.That(async () => await job.TellAsync(_items), Throws.InstanceOf<OperationCanceledException>());
        await host.EndedAsync();
        Assert.That(TempFolder.FilesIn(Out), Is.SubsetOf(TempFolder.FilesIn(Target)));
        AssertClean();
    }

    private static BatchOptions Options(DirectoryOptions directory) =>
        new() { Directory = directory, Trial = new TrialSizes(Tried, int.MaxValue, After) };

    // The later folders are listed when the first files have come and it is known whether there will be a trial.
    private ShellHost Host(string slowly, Action<string>? starting = null, Action<string>? listing = null, bool listsAtOnce = false) =>
        new(new TransferClientOptions { TimeProvider = _time, LoggerFactory = _log })
        {
            Programs = $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}",
            Moving = () =>
            {
                if (slowly != "nothing") _time.Leap(Slow);
            },
            Starting = command =>
            {
                // In a batch each portion takes so much longer than all else.
                if (command.Contains(slowly, StringComparison.Ordinal)) _time.Leap(10 * Slow);
                starting?.Invoke(command);
            },
            Listing = async folder =>
            {
                lock (_listed) _listed.Add(folder);
                listing?.Invoke(folder);
                if (!listsAtOnce && folder.EndsWith("/late", StringComparison.Ordinal)) await _log.Second.Soon();
            },
        };

    private async Task<BatchDirectoryResult> DownloadAsync(ShellHost host, DirectoryOptions? options = null) =>
        (BatchDirectoryResult)await host.StartDownloadDirectory(Target, Out, Options(options ?? new()), readItems: true, _progress)
            .TellAsync(_items);

    private void Fill()
    {
        for (var i = 0; i < First; i++) There.Add($"in/a{i % 5}/f{i}", Samples.Bytes(30_000, i), Time);
        for (var i = 0; i < Later; i++)
            There.Add(i < Later / 2 ? $"in/late/l{i}" : $"in/late/deep/d{i - (Later / 2)}", Samples.Bytes(30_000, First + i), Time);
        There.Add("in/late/large", Samples.Bytes((4 << 20) + 1, 1));
        Directory.CreateDirectory(There["in/late/empty"]);
        Directory.SetLastWriteTimeUtc(Target, Time.UtcDateTime);
    }

    private void AllIsHere()
    {
        Assert.That(TempFolder.FilesIn(Out), Is.EqualTo(TempFolder.FilesIn(Target)));
        Assert.That(TempFolder.FilesIn(Out).All(file =>
            File.ReadAllBytes(Path.Join(Out, file)).AsSpan().SequenceEqual(File.ReadAllBytes(Path.Join(Target, file)))));
        Assert.That(Directory.Exists(Path.Join(Out, "late/empty")));
        Assert.That(_items.Values.Select(item => item.Path), Is.Unique);
        Assert.That(_items.Values, Has.Count.EqualTo(All));
        AssertClean();
    }
}
