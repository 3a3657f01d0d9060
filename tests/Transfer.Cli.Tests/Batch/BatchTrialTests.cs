using System.Runtime.Versioning;
using Transfer.Batch;
using Transfer.TestSupport.Exec;

namespace Transfer.Cli.Tests.Batch;

/// <summary>A large folder whose first files go by both ways, and the rest by the faster one.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class BatchTrialTests : HostFixture
{
    private const int Files = 600;
    private const int Tried = 60;

    private static readonly TimeSpan Slow = TimeSpan.FromMinutes(1);

    private readonly LeapingTime _time = new();
    private readonly Collected<ItemResult> _items = new();

    [TestCase("tar", BatchWay.Tar)]
    [TestCase("transfer", BatchWay.Transfer)]
    public async Task The_rest_goes_in_a_batch_where_that_was_faster(string by, BatchWay way)
    {
        if (by == "transfer") OurReceiver();
        Fill();
        await using var host = Host(slowly: "singly");
        var result = await UploadAsync(host);
        Assert.That((result.Way, result.Reason, result.Files, result.Failed, result.Alone),
            Is.EqualTo((way, (string?)null, (long)Files + 1, 0L, Tried + 1)));
        AllIsThere();
    }

    [TestCase("tar")]
    [TestCase("transfer")]
    public async Task The_rest_goes_file_by_file_where_a_batch_was_no_faster(string by)
    {
        if (by == "transfer") OurReceiver();
        Fill();
        await using var host = Host(slowly: by == "tar" ? "tar -x" : "transfer receive");
        var result = await UploadAsync(host);
        Assert.That((result.Way, result.Files, result.Failed, result.Alone), Is.EqualTo((BatchWay.Files, (long)Files + 1, 0L, 0)));
        Assert.That(result.Reason, Does.Contain("no faster"));
        AllIsThere();
    }

    [Test]
    public async Task A_batch_that_fails_leaves_all_to_the_other_way()
    {
        Fill();
        Program("tar", "case $1 in --version) exec /bin/tar --version;; *) head -c 100000 >/dev/null; exit 2;; esac");
        await using var host = Host(slowly: "singly");
        var result = await UploadAsync(host);
        Assert.That((result.Way, result.Files, result.Failed), Is.EqualTo((BatchWay.Files, (long)Files + 1, 0L)));
        AllIsThere();
    }

    [Test]
    public async Task Where_no_batch_is_possible_the_rest_follows_file_by_file()
    {
        Fill();
        await using var host = new ShellHost(new TransferClientOptions { TimeProvider = _time })
        { Programs = Path, Hidden = (There.Path, Here.Path) };
        var result = await UploadAsync(host);
        Assert.That((result.Way, result.Files, result.Failed), Is.EqualTo((BatchWay.Files, (long)Files + 1, 0L)));
        Assert.That(result.Reason, Does.Contain("other files than SFTP"));
        AllIsThere();
    }

    [TestCase(OverwriteMode.Always, BatchWay.Tar)]
    [TestCase(OverwriteMode.Skip, BatchWay.Files, Description = "The target decides which files go.")]
    public async Task An_existing_target_gets_the_same(OverwriteMode overwrite, BatchWay way)
    {
        Fill();
        There.Add("in/d1/f1", [9]);
        There.Add("in/d3/other", [9]);
        await using var host = Host(slowly: "singly");
        var result = await UploadAsync(host, new DirectoryOptions { Overwrite = overwrite });
        var kept = overwrite == OverwriteMode.Skip;
        Assert.That((result.Way, result.Files, result.Skipped, result.Failed),
            Is.EqualTo((way, (long)Files + (kept ? 0 : 1), kept ? 1L : 0L, 0L)));
        Assert.That(There.Read("in/d1/f1"), Has.Length.EqualTo(kept ? 1 : 30_000));
        Assert.That(There.Read("in/d3/other"), Has.Length.EqualTo(1));
        AssertClean();
    }

    [Test]
    public async Task A_job_that_was_stopped_in_its_trial_goes_on_where_it_was()
    {
        Fill();
        TransferJob? job = null;
        await using var host = Host(slowly: "singly", starting: command =>
        {
            if (command.Contains("tar -x", StringComparison.Ordinal)) _ = job!.StopAsync();
        });
        var options = new DirectoryOptions { Journal = Programs["journal"] };
        job = host.StartUploadDirectory(Here.Path, Target, Options(options), readItems: true);
        Assert.That(async () => await job.TellAsync(_items), Throws.InstanceOf<OperationCanceledException>());
        var before = _items.Values.Count;
        Assert.That(before, Is.InRange(Tried, Files));
        await using var again = Host(slowly: "none");
        var rest = await UploadAsync(again, options with { Resume = true });
        Assert.That((rest.Files, rest.Skipped, rest.Failed), Is.EqualTo(((long)Files + 1 - before, (long)before, 0L)));
        Assert.That(Listed(Target), Is.EqualTo(Listed(Here.Path)));
        AssertClean();
    }

    [Test]
    public async Task New_files_have_the_permissions_of_new_files_whichever_way_they_went()
    {
        Fill();
        foreach (var file in Directory.EnumerateFiles(Here.Path, "f*", SearchOption.AllDirectories))
            File.SetUnixFileMode(file, (UnixFileMode)0b111_111_111);
        await using var host = Host(slowly: "singly");
        Assert.That((await UploadAsync(host)).Way, Is.EqualTo(BatchWay.Tar));
        var modes = Directory.EnumerateFiles(Target, "f*", SearchOption.AllDirectories).GroupBy(File.GetUnixFileMode);
        Assert.That(modes.Select(files => $"{files.Key}: {files.Count()}"), Has.Exactly(1).Items);
    }

    private string Path => $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}";

    private static BatchOptions Options(DirectoryOptions directory) =>
        new() { Directory = directory, Trial = new TrialSizes(Tried, Files, TimeSpan.Zero) };

    // Some seconds of the client's clock pass where a way is slow, without a wait.
    private ShellHost Host(string slowly, Action<string>? starting = null) => new(new TransferClientOptions { TimeProvider = _time })
    {
        Programs = Path,
        Moving = () =>
        {
            if (slowly == "singly") _time.Leap(Slow);
        },
        Starting = command =>
        {
            if (command.Contains(slowly, StringComparison.Ordinal)) _time.Leap(Slow);
            starting?.Invoke(command);
        },
    };

    private async Task<BatchDirectoryResult> UploadAsync(ShellHost host, DirectoryOptions? options = null) =>
        (BatchDirectoryResult)await host.StartUploadDirectory(Here.Path, Target, Options(options ?? new()), readItems: true)
            .TellAsync(_items);

    // Of content that can't be compressed, and a file that goes on its own.
    private void Fill()
    {
        for (var i = 0; i < Files; i++) Here.Add($"d{i % 7}/f{i}", Samples.Bytes(30_000, i));
        Here.Add("large", Samples.Bytes((4 << 20) + 1, 1));
        Directory.CreateDirectory(Here["empty/deeper"]);
    }

    private void AllIsThere()
    {
        Assert.That(Listed(Target), Is.EqualTo(Listed(Here.Path)));
        Assert.That(_items.Values.Select(item => item.Path), Is.Unique);
        Assert.That(_items.Values, Has.Count.EqualTo(Files + 1));
        AssertClean();
    }

    private static string[] Listed(string root) =>
        [.. Directory.EnumerateFileSystemEntries(root, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            .Select(path => $"{System.IO.Path.GetRelativePath(root, path)} {(File.Exists(path)
                ? Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(path))) : "folder")}")];
}
