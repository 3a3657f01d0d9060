using System.Runtime.Versioning;
using Transfer.Batch.Carriers.Exec;
using Transfer.TestSupport.Exec;

namespace Transfer.Cli.Tests.Batch;

/// <summary>The gentle end of a batch: what was begun arrives and counts, nothing more begins, and the rest is for the next run.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class BatchFinishTests : HostFixture, IDisposable
{
    private const int Files = 80;
    private const int Length = 256 << 10;

    // In the midst of the second archive.
    private const long FinishAt = 3 << 20;

    private static readonly DateTimeOffset Time = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);

    private readonly CancellationTokenSource _finish = new();
    private readonly Collected<ItemResult> _items = new();

    private DirectoryOptions Options => new() { Journal = Programs["journal"] };

    private DirectoryOptions Resumed => Options with { Resume = true };

    public void Dispose() => _finish.Dispose();

    [TestCase("tar", OverwriteMode.Fail)]
    [TestCase("transfer", OverwriteMode.Fail)]
    [TestCase("tar", OverwriteMode.Fail, 4, Description = "Several commands.")]
    [TestCase("transfer", OverwriteMode.Fail, 4, Description = "Several receivers.")]
    [TestCase("transfer", OverwriteMode.Always, Description = "The receiver is asked for hashes of what it has.")]
    public async Task What_was_packed_is_there_no_other_file_begins_and_resuming_sends_only_the_rest(string by, OverwriteMode overwrite,
        int sessions = 1)
    {
        if (by == "transfer") OurReceiver();
        for (var i = 0; i < Files; i++)
        {
            Here.Add($"d{i % 3}/f{i}", Samples.Bytes(Length, i), Time.AddSeconds(i));
            if (overwrite == OverwriteMode.Always) There.Add($"in/d{i % 3}/f{i}", Samples.Bytes(Length, i + 1000), Time.AddDays(-1));
        }
        await using var host = Host(sending: FinishAsSent, sessions: sessions);
        var options = Options with { Overwrite = overwrite };
        await FinishedAsync(UpAsync(host, options));
        await host.EndedAsync();
        var done = Same();
        // All that had been sent whole, and what lay between the packer and the wire.
        Assert.That(done.Count, Is.InRange((int)(FinishAt / Length) - 1, Files / 2));
        Assert.That(host.Sent, Is.LessThan((done.Count + 2) * (long)Length), "nothing was sent in vain");
        Assert.That(_items.Values.Select(item => item.Path).Order(StringComparer.Ordinal), Is.EqualTo(done));
        if (overwrite == OverwriteMode.Fail) Assert.That(Published(), Is.EqualTo(done));
        AssertClean();

        var rest = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(Resumed with { Overwrite = overwrite }));
        Assert.That((rest.Files, rest.Skipped, rest.Failed, rest.Alone), Is.EqualTo(((long)Files - done.Count, (long)done.Count, 0L, 0)));
        Assert.That(rest.Way, Is.EqualTo(by == "tar" ? BatchWay.Tar : BatchWay.Transfer));
        Assert.That(Same(), Is.EqualTo(Here.Files));
        AssertOver();
    }

    [Test]
    public async Task What_gets_its_names_all_at_once_gets_them_as_far_as_it_has_come()
    {
        for (var i = 0; i < Files; i++) Here.Add($"d{i % 3}/f{i}", Samples.Bytes(Length, i), Time);
        await using var host = Host(sending: FinishAsSent);
        await FinishedAsync(UpAsync(host, Options with { Journal = null }));
        await host.EndedAsync();
        Assert.That(Published(), Has.Count.InRange((int)(FinishAt / Length) - 1, Files / 2));
        Assert.That(Same(), Is.EqualTo(Published()));
        AssertClean();
    }

    [TestCase("tar")]
    [TestCase("transfer")]
    public async Task Where_everything_was_under_way_it_ends_as_ever(string by)
    {
        if (by == "transfer") OurReceiver();
        for (var i = 0; i < 3; i++) Here.Add($"f{i}", [1, 2], Time);
        await using var host = Host();
        var result = await UpAsync(host, Options, new Immediate(() => _finish.Cancel())).Soon();
        Assert.That((result.Files, _finish.IsCancellationRequested), Is.EqualTo((3L, true)));
        Assert.That(Same(), Is.EqualTo(Here.Files));
        AssertOver();
    }

    [TestCase(false)]
    [TestCase(true, Description = "It is not tried again then.")]
    public async Task A_command_that_was_started_for_nothing_ends_and_leaves_nothing(bool fails)
    {
        if (fails) Program("tar", "case \"$1\" in --version) echo 'tar (GNU tar) 1.34';; *) cat >/dev/null; exit 2;; esac");
        for (var i = 0; i < 300; i++) Here.Add($"d{i % 3}/f{i}", [1, (byte)i], Time);
        await using var host = Host(starting: command =>
        {
            if (command.Contains("tar -x", StringComparison.Ordinal)) _finish.Cancel();
        });
        await FinishedAsync(UpAsync(host, Options));
        await host.EndedAsync();
        Assert.That(_items.Values, Is.Empty);
        Assert.That(Directory.EnumerateFileSystemEntries(Target), Is.Empty, "no folder either");
        AssertClean();
    }

    [Test]
    public async Task Receivers_that_are_being_started_then_get_nothing_and_end()
    {
        OurReceiver();
        Here.Add("f", [1], Time);
        await using var host = Host(sessions: 4, starting: command =>
        {
            if (command.Contains("transfer receive", StringComparison.Ordinal)) _finish.Cancel();
        });
        await FinishedAsync(UpAsync(host, Options with { Journal = null }));
        await host.EndedAsync();
        Assert.That((There.Files.Count, _items.Values.Count), Is.EqualTo((0, 0)));
        AssertClean();
    }

    [Test]
    public async Task A_portion_that_tar_packs_comes_whole_and_no_other_begins()
    {
        for (var i = 0; i < 300; i++) There.Add($"in/d{i % 3}/f{i}", Samples.Bytes(20_000, i), Time.AddSeconds(i));
        var (portions, before) = (0, 0);
        await using var host = Host(starting: command =>
        {
            if (!command.Contains("tar -c", StringComparison.Ordinal) || ++portions != 2) return;
            before = _items.Values.Count;
            _finish.Cancel();
        });
        var local = Here["out"];
        await FinishedAsync(new DownloadBatch(host, local, Target, InBatch(Options),
            new TransferJobContext(items: _items, stopping: _finish.Token)).RunAsync());
        await host.EndedAsync();
        var done = Here.Files;
        Assert.That((portions, done.Count), Is.EqualTo((2, _items.Values.Count)));
        Assert.That(done.Count, Is.InRange(before + 1, 299));
        Assert.That(done.All(file => Here.Read(file).AsSpan().SequenceEqual(There.Read("in" + file["out".Length..]))));
        AssertClean();

        var rest = await host.DownloadDirectoryAsync(Target, local, InBatch(Resumed));
        Assert.That((rest.Way, rest.Files, rest.Skipped, rest.Failed, rest.Alone),
            Is.EqualTo((BatchWay.Tar, 300L - done.Count, (long)done.Count, 0L, 0)));
        Assert.That(Here.Files, Has.Count.EqualTo(300));
        AssertOver();
    }

    private Task<JobResult> UpAsync(ShellHost host, DirectoryOptions options, IProgress<ItemResult>? items = null) =>
        new UploadBatch(host, Here.Path, Target, InBatch(options),
            new TransferJobContext(items: items ?? _items, stopping: _finish.Token)).RunAsync();

    // One command at a time, as a rule.
    private ShellHost Host(Action<string>? starting = null, Action<long>? sending = null, int sessions = 1) =>
        new(new TransferClientOptions { MaxSessions = sessions })
        { Programs = $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}", Starting = starting, Sending = sending };

    private void FinishAsSent(long sent)
    {
        if (sent >= FinishAt) _finish.Cancel();
    }

    private async Task FinishedAsync(Task batch)
    {
        var error = await batch.Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(_finish.Token));
    }

    private List<string> Published() =>
        [.. Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories).Select(file => Path.GetRelativePath(Target, file))
            .Order(StringComparer.Ordinal)];

    // Files that are there as they are here.
    private List<string> Same() => [.. Published().Where(file => Here.Read(file).AsSpan().SequenceEqual(There.Read("in/" + file)))];

    private void AssertOver()
    {
        AssertClean();
        Assert.That(File.Exists(Programs["journal"]), Is.False, "there is nothing to continue");
    }

    private sealed class Immediate(Action handler) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => handler();
    }
}
