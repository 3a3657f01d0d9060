using System.Runtime.Versioning;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Engine;
using Transfer.Engine.Journal;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Batch.Exec;

/// <summary>Jobs that were broken off, and go on in a batch.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
public sealed class BatchResumeTests
{
    private static readonly DateTimeOffset Time = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);

    private TempFolder _here = null!;
    private TempFolder _there = null!;
    private TempFolder _programs = null!;

    private string Target => _there["in"];

    private DirectoryOptions Options => new() { Journal = _programs["journal"] };

    private DirectoryOptions Resumed => Options with { Resume = true };

    [SetUp]
    public void Make() => (_here, _there, _programs) = (new TempFolder(), new TempFolder(), new TempFolder());

    [TearDown]
    public void Remove()
    {
        _here.Dispose();
        _there.Dispose();
        _programs.Dispose();
    }

    [TestCase("tar", BatchMode.On)]
    [TestCase("transfer", BatchMode.On)]
    [TestCase("tar", BatchMode.Off, Description = "It goes on file by file.")]
    public async Task An_upload_goes_on_with_what_was_not_confirmed(string by, BatchMode mode)
    {
        // 64 MiB are a command's of tar, 2 MiB are an archive.
        var (files, length) = by == "tar" ? (20, 4 << 20) : (40, 1 << 20);
        if (by == "transfer") OurReceiver(firstGets: 20_000_000);
        var content = new byte[length];
        new Random(1).NextBytes(content);
        for (var i = 0; i < files; i++) _here.Add($"d{i % 3}/f{i}", content, Time.AddSeconds(i));
        await using var host = Host();
        await BreakOffAsync(items => BatchFolders.UploadAsync(host, _here.Path, Target, BatchMode.On, Options with { Items = items.Items }, ct: items.Token));
        await host.EndedAsync();
        var done = Published().Count;
        Assert.That(done, Is.InRange(1, files - 1));
        var before = host.Sent;
        var result = await BatchFolders.UploadAsync(host, _here.Path, Target, mode, Resumed);
        Assert.That((result.Job.Files, result.Job.Skipped, result.Job.Failed, result.Alone), Is.EqualTo(((long)files - done, (long)done, 0L, 0)));
        Assert.That(result.Way, Is.EqualTo(mode == BatchMode.Off ? BatchWay.Files : by == "tar" ? BatchWay.Tar : BatchWay.Transfer));
        Assert.That(host.Sent - before, Is.LessThan(((long)files - done + 1) * length));
        Assert.That(Published(), Is.EqualTo(_here.Files));
        AssertOver();
    }

    [Test]
    public async Task A_download_goes_on_with_what_has_not_come()
    {
        for (var i = 0; i < 300; i++) _there.Add($"in/d{i % 3}/f{i}", new byte[20_000], Time.AddSeconds(i));
        await using var host = Host();
        var local = _here["out"];
        await BreakOffAsync(items => BatchFolders.DownloadAsync(host, Target, local, BatchMode.On, Options with { Items = items.Items }, ct: items.Token));
        await host.EndedAsync();
        var done = Directory.EnumerateFiles(local, "f*", SearchOption.AllDirectories).Count();
        Assert.That(done, Is.InRange(1, 299));
        var result = await BatchFolders.DownloadAsync(host, Target, local, BatchMode.On, Resumed);
        Assert.That((result.Way, result.Job.Files, result.Job.Skipped, result.Job.Failed, result.Alone), Is.EqualTo((BatchWay.Tar, 300L - done, (long)done, 0L, 0)));
        Assert.That(_here.Files.Select(file => file[4..]), Is.EqualTo(Published()));
        AssertOver();
    }

    [TestCase("tar")]
    [TestCase("transfer")]
    public async Task What_has_changed_since_goes_again_and_what_is_gone_too(string by)
    {
        if (by == "transfer") OurReceiver();
        foreach (var name in new[] { "a", "b", "c", "z" }) _here.Add(name, [1], Time);
        // In the way of one, so that the job does not end well.
        Directory.CreateDirectory(Target + "/z");
        await using var host = Host();
        var first = await BatchFolders.UploadAsync(host, _here.Path, Target, BatchMode.On, Options);
        Assert.That((first.Job.Files, first.Job.Failed), Is.EqualTo((3L, 1L)));
        Directory.Delete(Target + "/z");
        File.Delete(Target + "/a");
        _here.Add("b", [2, 3], Time.AddDays(-1));
        var second = await BatchFolders.UploadAsync(host, _here.Path, Target, BatchMode.On, Resumed);
        Assert.That((second.Job.Files, second.Job.Skipped, second.Job.Failed), Is.EqualTo((3L, 1L, 0L)), "although existing files are not to be replaced");
        Assert.That(_there.Read("in/b"), Is.EqualTo(new byte[] { 2, 3 }));
        Assert.That(Published(), Is.EqualTo(_here.Files));
        AssertOver();
    }

    [TestCase(true, Description = "The run was killed before it could say that it is there.")]
    [TestCase(false, Description = "It is another's.")]
    public async Task What_was_about_to_be_put_there_is_the_jobs_own(bool isOurs)
    {
        _here.Add("f", [1, 2, 3], Time);
        _there.Add("in/f", isOurs ? [1, 2, 3] : [4], Time);
        await using var host = Host();
        using (var journal = Journal(host, new TemporaryNames())) journal.Taken(NameKey.Of("f"), new SourceStamp(3, Time.UtcTicks));
        var result = await BatchFolders.UploadAsync(host, _here.Path, Target, BatchMode.On, Resumed);
        Assert.That((result.Job.Files, result.Job.Skipped, result.Job.Failed), Is.EqualTo((0L, isOurs ? 1L : 0L, isOurs ? 0L : 1L)));
    }

    [TestCase(BatchMode.On, true)]
    [TestCase(BatchMode.On, false)]
    [TestCase(BatchMode.Off, false)]
    public async Task What_a_killed_run_has_left_goes_with_the_next(BatchMode mode, bool resume)
    {
        _here.Add("d/f", [1], Time);
        await using var host = Host();
        var names = new TemporaryNames();
        string staged = names.Next(), beside = names.Next(), alone = names.Next();
        using (var journal = Journal(host, names))
        {
            journal.Leaves($"{Target}/{staged}/");
            journal.Leaves($"{_there.Path}/{beside}/");
        }
        _there.Add($"in/{staged}/d/f", [1]);
        _there.Add($"in/d/{alone}", [1]);
        Directory.CreateDirectory(_there[beside]);
        // Of a job that may be under way.
        const string Others = ".transfer-0123456789abcdef-1.part";
        _there.Add($"in/{Others}/half", [1]);
        var result = await BatchFolders.UploadAsync(host, _here.Path, Target, mode, Options with { Resume = resume });
        Assert.That((result.Job.Files, result.Job.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(_there.Files, Is.EquivalentTo(new[] { $"in/{Others}/half", "in/d/f" }));
        Assert.That(Directory.Exists(_there[beside]), Is.False);
        Assert.That(File.Exists(_programs["journal"]), Is.False);
    }

    [Test]
    public async Task What_is_all_there_is_of_a_file_stays()
    {
        _here.Add("f", [1], Time);
        await using var host = Host();
        var names = new TemporaryNames();
        var staged = names.Next();
        using (var journal = Journal(host, names))
        {
            journal.Leaves($"{Target}/{staged}/");
            journal.Stays($"{Target}/{staged}/");
        }
        _there.Add($"in/{staged}/g", [1]);
        await BatchFolders.UploadAsync(host, _here.Path, Target, BatchMode.On, Options);
        Assert.That(_there.Files, Is.EquivalentTo(new[] { $"in/{staged}/g", "in/f" }));
    }

    private JobJournal Journal(ShellHost host, TemporaryNames names) => JobJournal.Open(
        _programs["journal"], JobJournal.JobOf("upload_directory", _here.Path, host.Engine.UrlOf(Target)), names, resume: false, isOfOneFile: false, NullLogger.Instance);

    // One command at a time.
    private ShellHost Host() => new(new TransferClientOptions { MaxSessions = 1 }) { Programs = $"{_programs.Path}:{Environment.GetEnvironmentVariable("PATH")}" };

    private List<string> Published() => [.. Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories).Select(file => Path.GetRelativePath(Target, file)).Order(StringComparer.Ordinal)];

    // When the first item is told of.
    private static async Task BreakOffAsync(Func<(IProgress<ItemResult> Items, CancellationToken Token), Task> run)
    {
        using var cancel = new CancellationTokenSource();
        await run((new Cancelling(cancel), cancel.Token)).Failure<OperationCanceledException>();
    }

    // The first one started may get so many bytes of its input only, and waits for the rest until that ends.
    private void OurReceiver(int? firstGets = null)
    {
        var ours = Path.Join(AppContext.BaseDirectory, "transfer");
        Assume.That(File.Exists(ours), "The command is not built beside these tests.");
        var first = firstGets is { } bytes ? $"if mkdir '{_programs["first"]}' 2>/dev/null; then {{ head -c {bytes}; cat >/dev/null; }} | '{ours}' \"$@\"; exit; fi; " : string.Empty;
        var path = _programs["transfer"];
        File.WriteAllText(path, $"#!/bin/sh\n{first}exec '{ours}' \"$@\"\n");
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    private void AssertOver()
    {
        Assert.That(Directory.EnumerateFileSystemEntries(_there.Path, ".transfer-*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 }), Is.Empty);
        Assert.That(File.Exists(_programs["journal"]), Is.False, "there is nothing to continue");
    }

    private sealed class Cancelling(CancellationTokenSource cancel) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => cancel.Cancel();
    }
}
