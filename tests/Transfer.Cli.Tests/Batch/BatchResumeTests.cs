using System.Runtime.Versioning;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Carriers.Exec;
using Transfer.Journal;
using Transfer.TestSupport.Exec;

namespace Transfer.Cli.Tests.Batch;

/// <summary>Jobs that were broken off, and go on in a batch.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
[Category(Categories.Slow)]
public sealed class BatchResumeTests : HostFixture
{
    private static readonly DateTimeOffset Time = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);

    private DirectoryOptions Options => new() { Journal = Programs["journal"] };

    private DirectoryOptions Resumed => Options with { Resume = true };

    [TestCase("tar", BatchMode.Always)]
    [TestCase("transfer", BatchMode.Always)]
    [TestCase("tar", BatchMode.Never, Description = "It goes on file by file.")]
    public async Task An_upload_goes_on_with_what_was_not_confirmed(string by, BatchMode mode)
    {
        // 64 MiB are a command's of tar, 2 MiB are an archive.
        var (files, length) = by == "tar" ? (20, 4 << 20) : (40, 1 << 20);
        if (by == "transfer") OurReceiver(firstGets: 20_000_000);
        var content = new byte[length];
        new Random(1).NextBytes(content);
        for (var i = 0; i < files; i++) Here.Add($"d{i % 3}/f{i}", content, Time.AddSeconds(i));
        await using var host = Host();
        await BreakOffAsync(items => new UploadBatch(host, Here.Path, Target, InBatch(Options), items).RunAsync());
        await host.EndedAsync();
        var done = Published().Count;
        Assert.That(done, Is.InRange(1, files - 1));
        var before = host.Sent;
        var result = await host.UploadDirectoryAsync(Here.Path, Target, In(mode, Resumed));
        Assert.That((result.Files, result.Skipped, result.Failed, result.Alone), Is.EqualTo(((long)files - done, (long)done, 0L, 0)));
        Assert.That(result.Way, Is.EqualTo(mode == BatchMode.Never ? BatchWay.Files : by == "tar" ? BatchWay.Tar : BatchWay.Transfer));
        Assert.That(host.Sent - before, Is.LessThan(((long)files - done + 1) * length));
        Assert.That(Published(), Is.EqualTo(Here.Files));
        AssertOver();
    }

    [Test]
    public async Task A_download_goes_on_with_what_has_not_come()
    {
        for (var i = 0; i < 300; i++) There.Add($"in/d{i % 3}/f{i}", new byte[20_000], Time.AddSeconds(i));
        await using var host = Host();
        var local = Here["out"];
        await BreakOffAsync(items => new DownloadBatch(host, local, Target, InBatch(Options), items).RunAsync());
        await host.EndedAsync();
        var done = Directory.EnumerateFiles(local, "f*", SearchOption.AllDirectories).Count();
        Assert.That(done, Is.InRange(1, 299));
        var result = await host.DownloadDirectoryAsync(Target, local, InBatch(Resumed));
        Assert.That((result.Way, result.Files, result.Skipped, result.Failed, result.Alone),
            Is.EqualTo((BatchWay.Tar, 300L - done, (long)done, 0L, 0)));
        Assert.That(Here.Files.Select(file => file[4..]), Is.EqualTo(Published()));
        AssertOver();
    }

    [TestCase("tar")]
    [TestCase("transfer")]
    public async Task What_has_changed_since_goes_again_and_what_is_gone_too(string by)
    {
        if (by == "transfer") OurReceiver();
        foreach (var name in new[] { "a", "b", "c", "z" }) Here.Add(name, [1], Time);
        // In the way of one, so that the job does not end well.
        Directory.CreateDirectory(Target + "/z");
        await using var host = Host();
        var first = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(Options));
        Assert.That((first.Files, first.Failed), Is.EqualTo((3L, 1L)));
        Directory.Delete(Target + "/z");
        File.Delete(Target + "/a");
        Here.Add("b", [2, 3], Time.AddDays(-1));
        var second = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(Resumed));
        Assert.That((second.Files, second.Skipped, second.Failed), Is.EqualTo((3L, 1L, 0L)),
            "although existing files are not to be replaced");
        Assert.That(There.Read("in/b"), Is.EqualTo(new byte[] { 2, 3 }));
        Assert.That(Published(), Is.EqualTo(Here.Files));
        AssertOver();
    }

    [TestCase(true, Description = "The run was killed before it could say that it is there.")]
    [TestCase(false, Description = "It is another's.")]
    public async Task What_was_about_to_be_put_there_is_the_jobs_own(bool isOurs)
    {
        Here.Add("f", [1, 2, 3], Time);
        There.Add("in/f", isOurs ? [1, 2, 3] : [4], Time);
        await using var host = Host();
        using (var journal = Journal(host, new TemporaryNames())) journal.NoteStart(NameKey.Of("f"), new SourceStamp(3, Time.UtcTicks));
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(Resumed));
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((0L, isOurs ? 1L : 0L, isOurs ? 0L : 1L)));
    }

    [TestCase(BatchMode.Always, true)]
    [TestCase(BatchMode.Always, false)]
    [TestCase(BatchMode.Never, false)]
    public async Task What_a_killed_run_has_left_goes_with_the_next(BatchMode mode, bool resume)
    {
        Here.Add("d/f", [1], Time);
        await using var host = Host();
        var names = new TemporaryNames();
        string staged = names.Next(), beside = names.Next(), alone = names.Next();
        using (var journal = Journal(host, names))
        {
            journal.NoteLeftover($"{Target}/{staged}/");
            journal.NoteLeftover($"{There.Path}/{beside}/");
        }
        There.Add($"in/{staged}/d/f", [1]);
        There.Add($"in/d/{alone}", [1]);
        Directory.CreateDirectory(There[beside]);
        // Of a job that may be under way.
        const string Others = ".transfer-0123456789abcdef-1.part";
        There.Add($"in/{Others}/half", [1]);
        var result = await host.UploadDirectoryAsync(Here.Path, Target, In(mode, Options with { Resume = resume }));
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(There.Files, Is.EquivalentTo(new[] { $"in/{Others}/half", "in/d/f" }));
        Assert.That(Directory.Exists(There[beside]), Is.False);
        Assert.That(File.Exists(Programs["journal"]), Is.False);
    }

    [Test]
    public async Task What_is_all_there_is_of_a_file_stays()
    {
        Here.Add("f", [1], Time);
        await using var host = Host();
        var names = new TemporaryNames();
        var staged = names.Next();
        using (var journal = Journal(host, names))
        {
            journal.NoteLeftover($"{Target}/{staged}/");
            journal.NoteKept($"{Target}/{staged}/", Target);
        }
        There.Add($"in/{staged}/g", [1]);
        await host.UploadDirectoryAsync(Here.Path, Target, InBatch(Options));
        Assert.That(There.Files, Is.EquivalentTo(new[] { $"in/{staged}/g", "in/f" }));
    }

    private JobJournal Journal(ShellHost host, TemporaryNames names) => JobJournal.Open(
        Programs["journal"], JobJournal.JobOf("upload_directory", Here.Path, host.Engine.UrlOf(Target)), names, resume: false,
        namesAll: false, NullLogger.Instance);

    // One command at a time.
    private ShellHost Host() =>
        new(new TransferClientOptions { MaxSessions = 1 }) { Programs = $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}" };

    private List<string> Published() =>
        [.. Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories).Select(file => Path.GetRelativePath(Target, file))
            .Order(StringComparer.Ordinal)];

    // When the first item is told of.
    private static async Task BreakOffAsync(Func<TransferJobContext, Task> run)
    {
        using var cancel = new CancellationTokenSource();
        await run(new TransferJobContext(items: new Cancelling(cancel), cancellationToken: cancel.Token))
            .Failure<OperationCanceledException>();
    }

    private void AssertOver()
    {
        AssertClean();
        Assert.That(File.Exists(Programs["journal"]), Is.False, "there is nothing to continue");
    }

    private sealed class Cancelling(CancellationTokenSource cancel) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => cancel.Cancel();
    }
}
