using System.Runtime.Versioning;
using Transfer.Batch.Carriers.Exec;
using Transfer.TestSupport.Exec;

namespace Transfer.Cli.Tests.Batch;

/// <summary>Folders that go by this machine's shell and tar.</summary>
[Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
[UnsupportedOSPlatform("windows")]
[Category(Categories.Slow)]
public sealed class BatchDirectoriesTests : HostFixture
{
    private static readonly string[] OddNames = ["-rf", "--help", "@list", "with space", " lead", "quote'quote", "double\"quote", "$HOME",
        "`id`", "a\\b", "\\0101", "*?[x]", ";ls", "é ü 漢", "tab\there", "!x", "%s%n", "~", "-"];

    [TestCase(false)]
    [TestCase(true, Description = "The target is there, and empty.")]
    public async Task A_folder_goes_up_by_tar(bool isThere)
    {
        Fill(Here, 700);
        if (isThere) Directory.CreateDirectory(Target);
        await using var host = new ShellHost();
        var items = new Collected();
        var result = (BatchDirectoryResult)await host.StartUploadDirectory(Here.Path, Target, InBatch(new() { Links = LinkHandling.Copy }),
            readItems: true).TellAsync(items);
        Assert.That((result.Way, result.Reason, result.Failed), Is.EqualTo((BatchWay.Tar, (string?)null, 0L)),
            string.Join('\n', result.Failures.Select(item => item.Error!.Message)));
        Same(Here.Path, Target);
        Assert.That(result.Files, Is.EqualTo(Here.Files.Count));
        Assert.That(items.Paths.Order(StringComparer.Ordinal), Is.EqualTo(Names(Here)));
        // What is too large for company.
        Assert.That(result.Alone, Is.EqualTo(1));
        AssertClean();
        if (!isThere) Assert.That(host.Started.Count(command => command.Contains("tar -x", StringComparison.Ordinal)), Is.GreaterThan(1));
    }

    [TestCase("tar", false)]
    [TestCase("tar", true, Description = "The target is there.")]
    [TestCase("transfer", true)]
    public async Task Names_with_line_ends_fail_as_they_do_file_by_file(string by, bool isThere)
    {
        if (by == "transfer") OurReceiver();
        for (var i = 0; i < 10; i++) Here.Add($"d/f{i}", [(byte)i]);
        Here.Add("d/Icon\r", [1]);
        Here.Add("two\nlines/f", [1]);
        Here.Add("two\nlines/deeper/g\n", [1]);
        Directory.CreateDirectory(Here["empty\r"]);
        foreach (var name in new[] { "two\nlines", "empty\r" }) File.SetUnixFileMode(Here[name], (UnixFileMode)0b111_101_000);
        Directory.CreateDirectory(isThere ? Target : There.Path);
        await using var host = new ShellHost { Programs = $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}" };
        var batch = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Overwrite = OverwriteMode.Always }));
        var single = await host.UploadDirectoryAsync(Here.Path, There["single"], new BatchOptions { Mode = BatchMode.Never });
        string[] refused = ["d/Icon\r", "empty\r", "two\nlines"];
        foreach (var result in new[] { batch, single })
        {
            Assert.That((result.Files, result.Failed), Is.EqualTo((10L, 3L)));
            Assert.That(result.Failures.Select(item => item.Path).Order(StringComparer.Ordinal), Is.EqualTo(refused));
            Assert.That(result.Failures.Select(item => item.Error!.Message), Is.All.Contain("may not contain CR or LF"));
        }
        Assert.That((batch.Way, batch.Alone), Is.EqualTo((by == "transfer" ? BatchWay.Transfer : BatchWay.Tar, 3)));
        Assert.That(Directory.EnumerateFileSystemEntries(Target).Select(Path.GetFileName), Is.EqualTo(new[] { "d" }));
        Assert.That(Directory.EnumerateFileSystemEntries(Target + "/d").Count(), Is.EqualTo(10));
        AssertClean();
    }

    [Test]
    public async Task A_folder_comes_down_by_tar()
    {
        Fill(There, 1200);
        var local = Here["out"];
        await using var host = new ShellHost();
        var items = new Collected();
        var result = (BatchDirectoryResult)await host.StartDownloadDirectory(There.Path, local,
            InBatch(new() { Links = LinkHandling.Copy }), readItems: true).TellAsync(items);
        Assert.That((result.Way, result.Reason, result.Failed), Is.EqualTo((BatchWay.Tar, (string?)null, 0L)),
            string.Join('\n', result.Failures.Select(item => item.Error!.Message)));
        Same(There.Path, local);
        Assert.That(result.Files, Is.EqualTo(There.Files.Count));
        Assert.That(items.Paths.Order(StringComparer.Ordinal), Is.EqualTo(Names(There)));
        // The large one and the link.
        Assert.That(result.Alone, Is.EqualTo(2));
    }

    [TestCase("tar", false)]
    [TestCase("tar", true, Description = "The target is there.")]
    [TestCase("busybox", false)]
    [TestCase("transfer", false)]
    public async Task A_batch_keeps_permissions(string by, bool isThere)
    {
        if (by == "transfer") OurReceiver();
        // A user's, which does not heed -p.
        if (by == "busybox")
            Program("tar", "case \"$1\" in --version) echo 'tar (busybox) 1.35.0';; *) exec /bin/tar \"$@\" --no-same-permissions;; esac");
        var modes = new Dictionary<string, UnixFileMode>();
        void Mode(string name, int mode)
        {
            File.SetUnixFileMode(Here[name], (UnixFileMode)mode);
            // What else a source may have nobody gets.
            modes.Add(name, (UnixFileMode)(mode & 0b111_111_111));
        }
        for (var i = 0; i < 300; i++) Here.Add($"d{i % 3}/f{i}", [1]);
        Here.Add("large", new byte[(4 << 20) + 1]);
        for (var i = 0; i < 300; i++) Mode($"d{i % 3}/f{i}", i % 2 == 0 ? 0b110_000_000 : 0b100_111_111_111);
        Mode("large", 0b111_001_010);
        Mode("d0", 0b111_111_111);
        Mode("d1", 0b111_000_000);
        Directory.CreateDirectory(isThere ? Target : There.Path);
        await using var host = new ShellHost { Programs = $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}" };
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { PreserveMode = true }));
        Assert.That((result.Way, result.Files, result.Failed, result.Alone),
            Is.EqualTo((by == "transfer" ? BatchWay.Transfer : BatchWay.Tar, 301L, 0L, 1)));
        Assert.That(modes.Keys.Where(name => File.GetUnixFileMode(Path.Join(Target, name)) != modes[name]), Is.Empty);
        AssertClean();
    }

    [Test]
    public async Task Where_nobody_wants_a_batch_permissions_are_those_of_new_files()
    {
        OurReceiver();
        Compressible();
        File.SetUnixFileMode(Here["text1"], (UnixFileMode)0b111_111_111);
        await using var host = new ShellHost { Programs = $"{Programs.Path}:{Environment.GetEnvironmentVariable("PATH")}" };
        var batch = await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions());
        await host.UploadDirectoryAsync(Here.Path, There["plain"], new BatchOptions { Mode = BatchMode.Never });
        Assert.That(batch.Way, Is.EqualTo(BatchWay.Transfer));
        Assert.That(File.GetUnixFileMode(Path.Join(Target, "text1")), Is.EqualTo(File.GetUnixFileMode(There["plain/text1"])));
    }

    [Test]
    public async Task A_few_files_go_one_by_one_unless_they_must_not()
    {
        Fill(Here, 10);
        await using var host = new ShellHost();
        var auto = await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions());
        Assert.That((auto.Way, host.Started.Count), Is.EqualTo((BatchWay.Files, 0)));
        Assert.That(auto.Reason, Does.Contain("few"));
        var on = await host.UploadDirectoryAsync(Here.Path, There["on"], InBatch(new() { Links = LinkHandling.Copy }));
        Assert.That(on.Way, Is.EqualTo(BatchWay.Tar));
        Same(Here.Path, There["on"]);
        var off = await host.UploadDirectoryAsync(Here.Path, There["off"], new BatchOptions { Mode = BatchMode.Never });
        Assert.That((off.Way, off.Reason), Is.EqualTo((BatchWay.Files, (string?)null)));
    }

    [TestCase(OverwriteMode.Always, 2, 0, 0)]
    [TestCase(OverwriteMode.Skip, 0, 2, 0)]
    [TestCase(OverwriteMode.Newer, 1, 1, 0)]
    [TestCase(OverwriteMode.Fail, 0, 0, 2)]
    public async Task What_is_there_is_treated_as_was_said(OverwriteMode overwrite, int replaced, int skipped, int failed)
    {
        for (var i = 0; i < 20; i++) Here.Add($"d/f{i}", [1, 2, (byte)i], new DateTime(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        There.Add("in/d/f3", [9], new DateTime(2023, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        There.Add("in/d/f4", [9], new DateTime(2025, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        There.Add("in/d/other", [7]);
        await using var host = new ShellHost();
        var up = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Overwrite = overwrite }));
        Assert.That((up.Way, up.Files, up.Skipped, up.Failed), Is.EqualTo((BatchWay.Tar, 18L + replaced, (long)skipped, (long)failed)));
        Assert.That((There.Read("in/d/f3").Length == 3 ? 1 : 0) + (There.Read("in/d/f4").Length == 3 ? 1 : 0), Is.EqualTo(replaced));
        Assert.That(There.Read("in/d/other"), Is.EqualTo(new byte[] { 7 }));
        AssertClean();

        using var down = new TempFolder();
        down.Add("d/f3", [9], new DateTime(2023, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        down.Add("d/f4", [9], new DateTime(2025, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        var back = await host.DownloadDirectoryAsync(Here.Path, down.Path, InBatch(new() { Overwrite = overwrite }));
        Assert.That((back.Way, back.Files, back.Skipped, back.Failed),
            Is.EqualTo((BatchWay.Tar, 18L + replaced, (long)skipped, (long)failed)));
    }

    [Test]
    public async Task What_is_in_the_way_of_a_file_is_an_error_of_that_file()
    {
        for (var i = 0; i < 5; i++) Here.Add($"f{i}", [1]);
        Directory.CreateDirectory(Path.Combine(Target, "f2"));
        await using var host = new ShellHost();
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Overwrite = OverwriteMode.Always }));
        Assert.That((result.Files, result.Failed, result.Failures[0].Path), Is.EqualTo((4L, 1L, "f2")));
        Assert.That(result.Failures[0].Error!.Error, Is.EqualTo(TransferError.Exists));
        AssertClean();
    }

    [Test]
    public async Task Filters_are_those_of_other_jobs()
    {
        Fill(Here, 30);
        Directory.CreateDirectory(Here["void/void"]);
        await using var host = new ShellHost();
        var options = new DirectoryOptions { Filter = new TransferFilter { Include = ["*7", "*9"], Exclude = ["d1"] } };
        await host.UploadDirectoryAsync(Here.Path, There["batch"], InBatch(options));
        await host.UploadDirectoryAsync(Here.Path, There["plain"], new BatchOptions { Mode = BatchMode.Never, Directory = options });
        Same(There["plain"], There["batch"]);
        await host.DownloadDirectoryAsync(Here.Path, There["down"], InBatch(options));
        Same(There["plain"], There["down"]);
    }

    [TestCase("exit 1")]
    [TestCase("cat >/dev/null")]
    [TestCase("echo This service allows sftp connections only.; exit 1")]
    [TestCase("yes")]
    public async Task Where_no_shell_answers_files_go_one_by_one(string forced)
    {
        Fill(Here, 10);
        Fill(There, 5);
        await using var host = new ShellHost(new TransferClientOptions { IdleTimeout = TimeSpan.FromSeconds(2) }) { Forced = forced };
        var error = await host.UploadDirectoryAsync(Here.Path, Target, InBatch()).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(Directory.Exists(Target), Is.False);
        Assert.That((await host.DownloadDirectoryAsync(There.Path, Here["down"], InBatch()).Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Unsupported));
        Compressible();
        var auto = await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions { Directory = new() { Links = LinkHandling.Copy } });
        Assert.That((auto.Way, auto.Failed), Is.EqualTo((BatchWay.Files, 0L)));
        Assert.That((auto.Reason, host.Started.Count), Is.Not.EqualTo(((string?)null, 0)));
        Same(Here.Path, Target);
    }

    [Test]
    public async Task Nothing_is_sent_to_a_command_that_takes_the_shells_place()
    {
        Compressible();
        await using (var host = new ShellHost(new TransferClientOptions { IdleTimeout = TimeSpan.FromSeconds(2) })
        { Forced = $"cat >> '{There["got"]}'" })
        {
            await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions());
        }

        Assert.That(new FileInfo(There["got"]).Length, Is.Zero);
    }

    [Test]
    public async Task Without_tar_a_batch_that_must_be_can_not()
    {
        Program("tar", "exit 127");
        Fill(Here, 10);
        await using var host = Host();
        var error = await host.UploadDirectoryAsync(Here.Path, Target, InBatch()).Failure<TransferException>();
        Assert.That((error.Error, error.Message),
            Is.EqualTo((TransferError.Unsupported, "The folder can't go in a batch: the server has neither tar nor transfer.")));
        Assert.That(Directory.Exists(Target), Is.False);
    }

    [Test]
    public async Task What_is_called_as_ours_and_is_not_gets_nothing()
    {
        Program("transfer", $"cat >> '{Programs["got"]}'; echo hello");
        Compressible();
        await using var host = new ShellHost(new TransferClientOptions { IdleTimeout = TimeSpan.FromSeconds(2) })
        { Programs = $"{Programs.Path}:/usr/local/bin:/usr/bin:/bin" };
        var result = await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions());
        Assert.That((result.Way, result.Failed), Is.EqualTo((BatchWay.Files, 0L)));
        Assert.That(result.Reason, Is.Not.Null);
        var must = await host.UploadDirectoryAsync(Here.Path, There["must"], InBatch());
        Assert.That((must.Way, must.Failed), Is.EqualTo((BatchWay.Tar, 0L)));
        Same(Here.Path, Target);
        Same(Here.Path, There["must"]);
        Assert.That(new FileInfo(Programs["got"]).Length, Is.Zero);
    }

    [TestCase("head -c 100000 >/dev/null; kill -9 $$", Description = "Killed half way.")]
    [TestCase("/bin/tar \"$@\"; exit 2", Description = "It did everything, and says that it did not.")]
    [TestCase("head -c 300000 | /bin/tar \"$@\" 2>/dev/null; exit 1", Description = "Only a part is extracted, one file by half.")]
    [TestCase("echo no space left on device >&2; exit 2")]
    public async Task What_tar_failed_to_extract_goes_on_its_own(string extract)
    {
        Program("tar", $"case \"$1\" in --version) echo 'tar (GNU tar) 1.34';; *) {extract};; esac");
        Fill(Here, 600);
        await using var host = Host();
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Links = LinkHandling.Copy }));
        Assert.That((result.Way, result.Failed, result.Files), Is.EqualTo((BatchWay.Files, 0L, (long)Here.Files.Count)));
        Assert.That(result.Reason, Is.Not.Null);
        Assert.That(result.Alone, Is.GreaterThan(500));
        Same(Here.Path, Target);
        await host.EndedAsync();
        AssertClean();
    }

    [Test]
    public async Task One_tar_that_fails_costs_only_what_it_had()
    {
        // The first one to make the folder fails.
        Program("tar",
            $"case \"$1\" in --version) echo 'tar (GNU tar) 1.34';; *) if mkdir '{Programs["first"]}' 2>/dev/null; then head -c 50000 "
            + $">/dev/null; exit 2; fi; exec /bin/tar \"$@\";; esac");
        Fill(Here, 1500);
        await using var host = Host();
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(new() { Links = LinkHandling.Copy }));
        Assert.That((result.Way, result.Failed, result.Files), Is.EqualTo((BatchWay.Tar, 0L, (long)Here.Files.Count)));
        Assert.That(result.Alone, Is.InRange(2, 1499));
        Same(Here.Path, Target);
        AssertClean();
    }

    [TestCase("exit 2")]
    [TestCase("/bin/tar \"$@\"; exit 1", Description = "A file changed as it was read, says tar.")]
    [TestCase("/bin/tar \"$@\" | head -c 50000")]
    [TestCase("cat /dev/zero | tr '\\\\0' x")]
    public async Task What_tar_failed_to_pack_comes_on_its_own(string create)
    {
        Program("tar", $"case \"$1\" in --version) echo 'tar (GNU tar) 1.34';; *) {create};; esac");
        Fill(There, 1100);
        await using var host = Host();
        var result = await host.DownloadDirectoryAsync(There.Path, Here["out"], InBatch(new() { Links = LinkHandling.Copy }));
        Assert.That((result.Failed, result.Files), Is.EqualTo((0L, (long)There.Files.Count)));
        Assert.That(result.Way, Is.EqualTo(result.Reason is null ? BatchWay.Tar : BatchWay.Files));
        Same(There.Path, Here["out"]);
    }

    [Test]
    public async Task A_file_that_can_not_be_read_there_is_its_own_error()
    {
        for (var i = 0; i < 30; i++) There.Add($"f{i}", [1]);
        File.CreateSymbolicLink(There["f9x"], "nowhere");
        // Gone between the listing and tar.
        Program("tar", $"case \"$1\" in --version) echo 'tar (GNU tar) 1.34';; *) rm -f '{There["f7"]}'; exec /bin/tar \"$@\";; esac");
        await using var host = Host();
        var result = await host.DownloadDirectoryAsync(There.Path, Here["out"], InBatch());
        Assert.That((result.Files, result.Failed), Is.EqualTo((29L, 0L)));
        Assert.That(File.Exists(Here["out/f7"]), Is.False);
    }

    [Test]
    public async Task A_file_that_changes_while_it_is_packed_is_sent_again()
    {
        for (var i = 0; i < 30; i++) Here.Add($"f{i:D3}", new byte[20_000]);
        // More than lies between the packer and tar: tar changes it before it takes any of it.
        Here.Add("changing", new byte[4_000_000]);
        Program("tar",
            $"case \"$1\" in --version) echo 'tar (GNU tar) 1.34';; *) sleep 0.2; echo more >> '{Here["changing"]}'; exec /bin/tar "
            + $"\"$@\";; esac");
        await using var host = Host();
        var result = await host.UploadDirectoryAsync(Here.Path, Target, InBatch());
        Assert.That((result.Files, result.Failed, result.Alone), Is.EqualTo((31L, 0L, 1)));
        Same(Here.Path, Target);
        AssertClean();
    }

    [Test]
    public async Task What_is_cancelled_half_way_leaves_nothing()
    {
        for (var i = 0; i < 600; i++) Here.Add($"f{i:D3}", new byte[20_000]);
        Program("tar", "case \"$1\" in --version) echo 'tar (GNU tar) 1.34';; *) sleep 0.3; /bin/tar \"$@\"; sleep 1;; esac");
        await using var host = Host();
        using var cancel = new CancellationTokenSource();
        var progress = new Immediate<TransferProgress>(value =>
        {
            if (value.Bytes > 0) cancel.Cancel();
        });
        var error = await host.UploadDirectoryAsync(Here.Path, Target, InBatch(), progress,
            cancel.Token).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(cancel.Token));
        await host.EndedAsync();
        Assert.That(Directory.EnumerateFileSystemEntries(There.Path), Is.Empty);
    }

    [Test]
    public async Task What_the_application_throws_ends_the_job_and_leaves_nothing_half()
    {
        Fill(Here, 600);
        await using var host = new ShellHost();
        var items = new Immediate<ItemResult>(_ => throw new InvalidTimeZoneException());
        await new UploadBatch(host, Here.Path, Target, InBatch(new()), new TransferJobContext(items: items)).RunAsync()
            .Failure<InvalidTimeZoneException>();
        await host.EndedAsync();
        AssertClean();
    }

    [TestCase("dry")]
    [TestCase("direct")]
    [TestCase("temporary")]
    [TestCase("flush")]
    [TestCase("hash")]
    [TestCase("names")]
    public async Task What_a_batch_can_not_do_is_refused_or_done_file_by_file(string what)
    {
        Fill(Here, 600);
        var options = what switch
        {
            "dry" => new DirectoryOptions { DryRun = true },
            "direct" => new DirectoryOptions { Publish = PublishMode.Direct },
            "temporary" => new DirectoryOptions { TemporaryDirectory = "t" },
            "names" => new DirectoryOptions { NameMapping = NameMapping.Target },
            "flush" => new DirectoryOptions { FlushToDisk = true },
            _ => new DirectoryOptions { Verify = VerificationMode.Hash },
        };
        await using var host = new ShellHost();
        Assert.That((await host.UploadDirectoryAsync(Here.Path, Target, InBatch(options)).Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Unsupported));
        var auto = await host.UploadDirectoryAsync(Here.Path, Target, new BatchOptions { Directory = options });
        Assert.That((auto.Way, host.Started.Count), Is.EqualTo((BatchWay.Files, 0)));
        Assert.That(auto.Reason, Is.Not.Null);
    }

    [Test]
    public async Task A_rate_limit_holds_a_batch_too()
    {
        for (var i = 0; i < 20; i++) Here.Add($"f{i}", new byte[10_000]);
        await using var host = new ShellHost(new TransferClientOptions { MaxBytesPerSecond = 400_000 });
        var started = TimeProvider.System.GetTimestamp();
        await host.UploadDirectoryAsync(Here.Path, Target, InBatch());
        // 200 KB and headers, and a tenth of a second is free.
        Assert.That(TimeProvider.System.GetElapsedTime(started), Is.GreaterThan(TimeSpan.FromSeconds(0.35)));
    }

    private ShellHost Host() => new() { Programs = $"{Programs.Path}:/usr/local/bin:/usr/bin:/bin" };

    private static void Fill(TempFolder folder, int files)
    {
        for (var i = 0; i < files; i++)
        {
            var name = i < OddNames.Length ? OddNames[i] : $"f{i}";
            var content = new byte[i * 37 % 9000];
            new Random(i).NextBytes(content);
            folder.Add($"d{i % 7}/{(i % 2 == 0 ? "deep er/" : "")}{name}", content,
                new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(i * 1001));
        }
        folder.Add("large", new byte[(4 << 20) + 1]);
        Directory.CreateDirectory(folder["empty/-x/y"]);
        if (!File.Exists(folder["link"])) File.CreateSymbolicLink(folder["link"], "d1/f8");
    }

    // What auto thinks worth asking the host for.
    private void Compressible()
    {
        for (var i = 0; i < 600; i++) Here.Add($"text{i}", new byte[30_000]);
    }

    // As they are: a backslash is a character.
    private static IEnumerable<string> Names(TempFolder folder) =>
        Directory.EnumerateFiles(folder.Path, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .Select(file => Path.GetRelativePath(folder.Path, file)).Order(StringComparer.Ordinal);

    private static void Same(string expected, string actual)
    {
        var (left, right) = (Describe(expected), Describe(actual));
        Assert.That(right.Keys.Except(left.Keys), Is.Empty, "too many");
        Assert.That(left.Keys.Except(right.Keys), Is.Empty, "missing");
        Assert.That(right.Where(pair => left[pair.Key] != pair.Value).Select(pair => $"{pair.Key}: {left[pair.Key]} became {pair.Value}"),
            Is.Empty);
    }

    private static Dictionary<string, string> Describe(string root) =>
        new DirectoryInfo(root).EnumerateFileSystemInfos("*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .ToDictionary(info => Path.GetRelativePath(root, info.FullName), info => info switch
            {
                { LinkTarget: { } link } => $"link {link}",
                FileInfo file =>
                    $"{file.LastWriteTimeUtc:u} {Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(file.FullName)))}",
                _ => "folder",
            });

    private sealed class Collected : IProgress<ItemResult>
    {
        public List<string> Paths { get; } = [];

        public void Report(ItemResult value)
        {
            lock (Paths) Paths.Add(value.Path);
        }
    }

    private sealed class Immediate<T>(Action<T> handler) : IProgress<T>
    {
        public void Report(T value) => handler(value);
    }
}
