using System.Runtime.Versioning;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Sealing;
using Transfer.TestSupport.Exec;

namespace Transfer.Cli.Tests.Batch;

/// <summary>Hosts and links that do not do what they should, and folders that are no good as they are.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
[Category(Categories.Slow)]
public sealed class BatchFaultTests : HostFixture
{
    private string Path => $"{Programs.Path}:/usr/local/bin:/usr/bin:/bin";

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_shell_that_sees_other_files_than_SFTP_gets_nothing(bool hasTransfer)
    {
        if (hasTransfer) Program("transfer", $"touch '{Programs["ran"]}'");
        for (var i = 0; i < 600; i++) Here.Add($"f{i}", new byte[30_000]);
        Directory.CreateDirectory(Programs["jail"]);
        await using var host = new ShellHost { Hidden = (There.Path, Programs["jail"]), Programs = Path };
        var error = await host.UploadDirectoryAsync(Here.Path, Target, InBatch()).Failure<TransferException>();
        Assert.That(error.Message, Does.Contain("sees other files than SFTP"));
        Assert.That(Directory.EnumerateFileSystemEntries(There.Path), Is.Empty);
        var auto = await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions());
        Assert.That((auto.Way, auto.Files, auto.Failed), Is.EqualTo((BatchWay.Files, 600L, 0L)));
        Assert.That((File.Exists(Programs["ran"]), Directory.EnumerateFileSystemEntries(Programs["jail"]).Any()),
            Is.EqualTo((false, false)));
        Assert.That((await host.DownloadDirectoryAsync(Target, Programs["down"], InBatch()).Failure<TransferException>()).Message,
            Does.Contain("sees other files than SFTP"));
        Assert.That(Directory.EnumerateFileSystemEntries(Target).Count(), Is.EqualTo(600));
    }

    [Test]
    public async Task What_reads_in_the_shells_place_and_says_nothing_is_not_waited_for()
    {
        for (var i = 0; i < 600; i++) Here.Add($"f{i}", new byte[30_000]);
        await using var host = new ShellHost(new TransferClientOptions { IdleTimeout = TimeSpan.Zero }) { Forced = "cat >/dev/null" };
        var auto = await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions()).Soon();
        Assert.That((auto.Way, auto.Files), Is.EqualTo((BatchWay.Files, 600L)));
    }

    [TestCase(BatchMode.Auto, false)]
    [TestCase(BatchMode.Auto, true)]
    [TestCase(BatchMode.Always, true)]
    public async Task Where_neither_tar_nor_our_own_receives_there_is_a_reason(BatchMode mode, bool keepsTimes)
    {
        Program("tar", "exit 127");
        Program("transfer", "exit 3");
        for (var i = 0; i < 600; i++) Here.Add($"f{i}", new byte[30_000]);
        await using var host = new ShellHost { Programs = Path };
        var options = new DirectoryOptions { PreserveModified = keepsTimes };
        if (mode == BatchMode.Always)
        {
            Assert.That((await host.UploadDirectoryAsync(Here.Path, Target, In(mode, options)).Failure<TransferException>()).Error,
                Is.EqualTo(TransferError.Unsupported));
            return;
        }
        var result = await host.UploadDirectoryAsync(Here.Path, Target, In(mode, options));
        Assert.That((result.Way, result.Files, result.Failed), Is.EqualTo((BatchWay.Files, 600L, 0L)));
        Assert.That(result.Reason, Is.Not.Null);
    }

    [Test]
    public async Task A_tar_that_says_nothing_of_files_that_became_shorter_packs_nothing()
    {
        Program("tar", "case \"$1\" in --version) echo 'bsdtar 3.7.2 - libarchive 3.7.2';; *) exit 1;; esac");
        There.Add("a", [1]);
        await using var host = new ShellHost { Programs = Path };
        var error = await host.DownloadDirectoryAsync(There.Path, Here["out"], InBatch()).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }

    [TestCase(OverwriteMode.Fail, "Before")]
    [TestCase(OverwriteMode.Fail, "Behind")]
    [TestCase(OverwriteMode.Skip, "Behind")]
    [TestCase(OverwriteMode.Always, "Behind")]
    public async Task A_connection_that_is_lost_among_the_renames_costs_nothing(OverwriteMode overwrite, string when)
    {
        for (var i = 0; i < 50; i++) Here.Add($"d/f{i}", [1, (byte)i]);
        Directory.CreateDirectory(Target);
        var renames = 0;
        await using var host = new ShellHost
        { Losing = (_, _) => Interlocked.Increment(ref renames) is 5 or 20 ? Enum.Parse<RenameLoss>(when) : RenameLoss.None };
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Overwrite = overwrite }));
        Assert.That((result.Way, result.Files, result.Failed, result.Skipped, result.Alone), Is.EqualTo((BatchWay.Tar, 50L, 0L, 0L, 0)));
        Assert.That(Directory.EnumerateFiles(Target + "/d").Count(), Is.EqualTo(50));
        AssertClean();
    }

    [TestCase("Before")]
    [TestCase("Behind")]
    public async Task A_connection_that_is_lost_at_the_rename_of_the_whole_costs_nothing(string when)
    {
        for (var i = 0; i < 50; i++) Here.Add($"d/f{i}", [1, (byte)i]);
        var renames = 0;
        await using var host = new ShellHost { Losing = (_, _) => ++renames == 1 ? Enum.Parse<RenameLoss>(when) : RenameLoss.None };
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch());
        Assert.That((result.Way, result.Files, result.Failed, result.Alone), Is.EqualTo((BatchWay.Tar, 50L, 0L, 0)));
        Assert.That(renames, Is.EqualTo(2), "the second time in doubt");
        AssertClean();
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_folder_whose_creation_was_lost_has_the_permissions_of_its_source(bool preserves)
    {
        for (var i = 0; i < 20; i++) Here.Add($"{(i % 2 == 0 ? "closed" : "open")}/f{i}", [1, (byte)i]);
        File.SetUnixFileMode(Here["closed"], (UnixFileMode)0b111_000_000);
        File.SetUnixFileMode(Here["open"], (UnixFileMode)0b111_111_111);
        There.Add("in/old/f", [1]);
        Here.Add("old/f2", [2]);
        File.SetUnixFileMode(Here["old"], (UnixFileMode)0b111_111_111);
        var creations = 0;
        await using var host = new ShellHost { LosingFolders = paths => paths.Contains(Target + "/closed") && ++creations == 1 };
        var before = File.GetUnixFileMode(There["in/old"]);
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { PreserveMode = preserves }));
        Assert.That((result.Way, result.Files, result.Failed, result.Alone, creations), Is.EqualTo((BatchWay.Tar, 21L, 0L, 0, 2)));
        Assert.That(File.GetUnixFileMode(There["in/closed"]), Is.EqualTo((UnixFileMode)0b111_000_000));
        Assert.That(File.GetUnixFileMode(There["in/open"]), Is.EqualTo(preserves ? (UnixFileMode)0b111_111_111 : before));
        Assert.That(File.GetUnixFileMode(There["in/old"]), Is.EqualTo(before), "not the job's own");
        AssertClean();
    }

    [TestCase("x/A", "x/a")]
    [TestCase("\u00e9", "e\u0301")]
    public async Task A_folder_with_names_that_not_everybody_tells_apart_is_not_renamed_as_a_whole(string one, string other)
    {
        Here.Add(one, [1]);
        Here.Add(other, [2]);
        Assume.That(Here.Files, Has.Count.EqualTo(2), "This file system does not tell them apart.");
        var renames = new List<string>();
        await using var host = new ShellHost
        {
            Losing = (_, to) =>
            {
                renames.Add(to);
                return RenameLoss.None;
            },
        };
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch());
        Assert.That((result.Way, result.Files), Is.EqualTo((BatchWay.Tar, 2L)));
        Assert.That(renames, Does.Not.Contain(Target));
        AssertClean();
    }

    [TestCase(OverwriteMode.Fail)]
    [TestCase(OverwriteMode.Skip)]
    public async Task Files_of_a_receiver_that_was_lost_before_it_could_say_so_are_known_for_what_they_are(OverwriteMode overwrite)
    {
        var ours = CommandProgram.Path;
        Assume.That(File.Exists(ours), "The command is not built beside these tests.");
        // The first one gets no further than to take the job on, as far as anybody hears; what it does in the time until its shell ends
        // nobody is told.
        Program("transfer",
            $"if mkdir '{Programs["first"]}' 2>/dev/null; then '{ours}' \"$@\" | {{ dd bs=1 count=68 2>/dev/null; sleep 2; kill $$; }}; "
            + $"else exec '{ours}' \"$@\"; fi");
        for (var i = 0; i < 1200; i++) Here.Add($"f{i}", [1, (byte)i]);
        Directory.CreateDirectory(Here["empty/one"]);
        Directory.CreateDirectory(Target);
        await using var host = new ShellHost(new TransferClientOptions { MaxSessions = 1 })
        { Programs = $"{Path}:{Environment.GetEnvironmentVariable("PATH")}" };
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Overwrite = overwrite }));
        Assert.That((result.Way, result.Files, result.Failed, result.Skipped, result.Alone),
            Is.EqualTo((BatchWay.Transfer, 1200L, 0L, 0L, 0)));
        Assert.That(Directory.Exists(Target + "/empty/one"), Is.True);
        await host.EndedAsync();
        AssertClean();
    }

    [TestCase(1)]
    [TestCase(4)]
    public async Task A_receiver_that_is_lost_is_started_again_as_often_as_was_said(int attempts)
    {
        // Its hello, and nothing more.
        Program("transfer",
            $"echo >> '{Programs["starts"]}'; printf '\\001\\000\\000\\000\\057transfer\\000\\001\\000\\000\\352\\140'; head -c 33 "
            + "/dev/zero");
        for (var i = 0; i < 20; i++) Here.Add($"f{i}", new byte[20_000 + i]);
        Directory.CreateDirectory(Target);
        var retry = new RetryOptions
        {
            Attempts = attempts,
            FirstDelay = TimeSpan.FromMilliseconds(1),
            MaxDelay = TimeSpan.FromMilliseconds(1)
        };
        await using var host = new ShellHost(new TransferClientOptions { MaxSessions = 1, Retry = retry }) { Programs = Path };
        // What it would have been asked is not waited for.
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Overwrite = OverwriteMode.Always })).Soon();
        Assert.That((result.Way, result.Files, result.Failed, result.Alone), Is.EqualTo((BatchWay.Files, 20L, 0L, 20)));
        Assert.That(new FileInfo(Programs["starts"]).Length, Is.EqualTo(attempts));
    }

    [Test]
    public async Task Of_what_our_receiver_has_in_another_version_only_what_has_changed_travels()
    {
        var ours = CommandProgram.Path;
        Assume.That(File.Exists(ours), "The command is not built beside these tests.");
        Program("transfer", $"exec '{ours}' \"$@\"");
        var random = new Random(1);
        for (var i = 0; i <= 20; i++)
        {
            // The last is too large for company, but not what has changed of it.
            var content = new byte[i == 20 ? 5_000_000 : 200_000];
            random.NextBytes(content);
            Here.Add($"f{i:D2}", content, new DateTime(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        }
        await using var host = new ShellHost { Programs = $"{Path}:{Environment.GetEnvironmentVariable("PATH")}" };
        var first = await host.UploadDirectoryAsync(Here.Path, Target, InBatch());
        Assert.That((first.Way, first.Files, first.Failed, first.Alone), Is.EqualTo((BatchWay.Transfer, 21L, 0L, 1)));
        foreach (var path in Directory.EnumerateFiles(Here.Path))
        {
            using var file = File.OpenHandle(path, access: FileAccess.ReadWrite);
            RandomAccess.Write(file, "changed"u8, RandomAccess.GetLength(file) / 2);
        }
        var before = host.Sent;
        var second = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Overwrite = OverwriteMode.Newer }));
        Assert.That((second.Way, second.Files, second.Failed, second.Alone), Is.EqualTo((BatchWay.Transfer, 21L, 0L, 0)));
        Assert.That(host.Sent - before, Is.LessThan(300_000), "of 9 MB");
        foreach (var path in Directory.EnumerateFiles(Here.Path))
        {
            Assert.That(
                File.ReadAllBytes(path).AsSpan().SequenceEqual(
                    File.ReadAllBytes(System.IO.Path.Join(Target, System.IO.Path.GetFileName(path)))), path);
        }

        AssertClean();
    }

    [Test]
    public async Task Empty_folders_of_an_archive_that_is_lost_are_told_of()
    {
        Directory.CreateDirectory(Here["empty/one"]);
        Here.Add("f", [1]);
        var lost = new Told();
        using var keys = JobKeys.Unsealed(JobId.New());
        await using var archives = FolderArchives.Open(Here.Path, new BatchPackOptions { LostFolders = lost }, keys);
        while (await archives.NextAsync(default) is { } archive) archive.Fail(new TransferException(TransferError.Lost, "It is lost."));
        Assert.That(lost.Paths, Is.EquivalentTo(new[] { "empty", "empty/one" }));
    }

    [TestCase(BatchMode.Always)]
    [TestCase(BatchMode.Never)]
    public async Task Included_folders_come_also_when_they_are_empty(BatchMode mode)
    {
        Directory.CreateDirectory(There["in/void"]);
        Directory.CreateDirectory(There["in/other"]);
        There.Add("in/f7", [1]);
        await using var host = new ShellHost();
        var options = new DirectoryOptions { Filter = new TransferFilter { Include = ["void", "*7"] } };
        await host.DownloadDirectoryAsync(Target, Here["out"], In(mode, options));
        Assert.That((Directory.Exists(Here["out/void"]), Directory.Exists(Here["out/other"]), File.Exists(Here["out/f7"])),
            Is.EqualTo((true, false, true)));
        // Where there is a target, what is to go is looked up first.
        Directory.CreateDirectory(There["up"]);
        await host.UploadDirectoryAsync(Here["out"], There["up"], In(mode, options));
        Assert.That(Directory.Exists(There["up/void"]), Is.True);
    }

    [TestCase(BatchMode.Always)]
    [TestCase(BatchMode.Never)]
    public async Task What_a_killed_job_has_left_is_no_part_of_a_folder(BatchMode mode)
    {
        const string Left = ".transfer-0123456789abcdef-1.part";
        There.Add($"in/{Left}/half", [1]);
        There.Add("in/f", [1]);
        await using var host = new ShellHost();
        var down = await host.DownloadDirectoryAsync(Target, Here["out"], In(mode));
        Assert.That((down.Files, down.Skipped, Directory.Exists(Here[$"out/{Left}"])), Is.EqualTo((1L, 1L, false)));
        await host.UploadDirectoryAsync(Target, There["up"], In(mode));
        Assert.That(Directory.EnumerateFileSystemEntries(There["up"]).Select(System.IO.Path.GetFileName), Is.EqualTo(new[] { "f" }));
    }

    private sealed class Told : IProgress<string>
    {
        public List<string> Paths { get; } = [];

        public void Report(string value) => Paths.Add(value);
    }
}
