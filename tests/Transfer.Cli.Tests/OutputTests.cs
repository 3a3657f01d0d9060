using System.Text.Json;
using Transfer.Cli.Output;

namespace Transfer.Cli.Tests;

public sealed class OutputTests
{
    [TestCase("plain ä 日本 \U0001F600", "plain ä 日本 \U0001F600")]
    [TestCase("\u001b[31mred\a", "?[31mred?")]
    [TestCase("a\u202Eb\u0085c\u007f", "a?b?c?")]
    [TestCase("a\r\nb\tc", "a??b?c")]
    [TestCase("a\u2028b\u2029c\u0085d\u009be", "a?b?c?d?e")]
    [TestCase("\u2066a\u200Fb\u061Cc\uFEFFd", "?a?b?c?d")]
    [TestCase("family \U0001F468\u200D\U0001F469", "family \U0001F468\u200D\U0001F469")]
    public void What_could_steer_a_terminal_is_shown_as_a_question_mark(string text, string shown) =>
        Assert.That(PrintableText.Of(text), Is.EqualTo(shown));

    [Test]
    public void Bytes_that_are_no_utf8_are_shown_in_hex() => Assert.That(PrintableText.Of("a\udce4b\ud800"), Is.EqualTo("a\\xe4b?"));

    [TestCase(0, "0 B")]
    [TestCase(999, "999 B")]
    [TestCase(1000, "1.00 kB")]
    [TestCase(12_345, "12.3 kB")]
    [TestCase(999_950, "1.00 MB")]
    [TestCase(123_456_789, "123 MB")]
    [TestCase(long.MaxValue, "9.22 EB")]
    public void Sizes_have_three_digits(long bytes, string text) => Assert.That(Quantity.Bytes(bytes), Is.EqualTo(text));

    [TestCase(0.4, "0.40 s")]
    [TestCase(12.34, "12.3 s")]
    [TestCase(245, "4:05")]
    [TestCase(3723, "1:02:03")]
    [TestCase(360_000, "100:00:00")]
    public void Times_are_short(double seconds, string text) => Assert.That(Quantity.Time(TimeSpan.FromSeconds(seconds)), Is.EqualTo(text));

    private static readonly ProgressLayout Wide = ProgressLayout.For(200);

    [TestCase(200, " 50%  300/600 files  500 MB of 1.00 GB  20.0 MB/s  0:25 left", "500 kB of 3.00 MB  1.30 MB/s  +8 files")]
    [TestCase(80, " 50%  500 MB of 1.00 GB  20.0 MB/s  0:25 left", "500 kB of 3.00 MB  1.30 MB/s  +8 files")]
    [TestCase(40, " 50% 20.0 MB/s 0:25", "500 kB  1.30 MB/s")]
    [TestCase(20, " 50%", "500 ")]
    public void Lines_of_progress_become_shorter_and_never_wrap(int width, string sum, string lane)
    {
        var layout = ProgressLayout.For(width);
        var now = new TransferProgress
        {
            Bytes = 500_000_000,
            TotalBytes = 1_000_000_000,
            Files = 300,
            TotalFiles = 600,
            BytesPerSecond = 20_000_000,
        };
        Assert.That(ProgressTextColumn.Format(now, layout), Is.EqualTo(sum));
        Assert.That(LaneRows.Format(new TransferLane { Bytes = 500_000, TotalBytes = 3_000_000, Files = 9 }, 1_300_000, layout),
            Is.EqualTo(lane));
        if (width >= 40) Assert.That(layout.NameOf("x").Length + layout.Bar + sum.Length + 2, Is.LessThan(width));
    }

    [Test]
    public void A_message_above_progress_is_divided_at_blanks_and_covers_its_lines() => Assert.That(
        ProgressLayout.Above("Finishing what is under way, 2.00 s at most.", 20),
        Is.EqualTo("Finishing what is  \nunder way, 2.00 s  \nat most.           "));

    [Test]
    public void Progress_says_what_is_known()
    {
        Assert.That(
            ProgressTextColumn.Format(
                new TransferProgress { Bytes = 500, TotalBytes = 1000, Files = 3, TotalFiles = 6, BytesPerSecond = 100 }, Wide),
            Is.EqualTo(" 50%  3/6 files  500 B of 1.00 kB  100 B/s  0:05 left"));
        Assert.That(ProgressTextColumn.Format(new TransferProgress { Bytes = 500, Files = 1 }, Wide), Is.EqualTo("1 file  500 B"));
        Assert.That(ProgressTextColumn.Format(new TransferProgress { TotalBytes = 0, TotalFiles = 1 }, Wide), Is.EqualTo("0 B of 0 B"));
        Assert.That(
            ProgressTextColumn.Format(
                new TransferProgress { TotalBytes = 0, Files = 3, TotalFiles = 6, FilesPerSecond = 0.001 }, Wide),
            Is.EqualTo("3/6 files  0 B of 0 B  50:00 left"));
    }

    [TestCase("/d/short.txt", "short.txt                   ")]
    [TestCase("/d/a_very_long_name_of_a_file_that_is_cut.tar.gz", "a_very_long_na…is_cut.tar.gz")]
    [TestCase("/d/\u001b[31m", "?[31m                       ")]
    public void A_sessions_line_names_the_file(string path, string name)
    {
        Assert.That(LaneRows.Name(path, Wide), Is.EqualTo(name));
        Assert.That(name, Has.Length.EqualTo(28));
    }

    [Test]
    public void A_sessions_line_says_what_is_known()
    {
        Assert.That(LaneRows.Format(new TransferLane { Bytes = 500, TotalBytes = 2000, Files = 1 }, 100, Wide),
            Is.EqualTo("500 B of 2.00 kB  100 B/s"));
        Assert.That(LaneRows.Format(new TransferLane { Bytes = 500, Files = 9 }, 0, Wide), Is.EqualTo("500 B  +8 files"));
    }

    [Test]
    public void A_sessions_rate_is_that_of_the_last_seconds_and_begins_anew_with_another_session()
    {
        var time = new ManualTime();
        var rate = new LaneRate(time);
        Assert.That(rate.Add(1000), Is.Zero);
        for (var i = 1; i <= 100; i++)
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            Assert.That(rate.Add(1000 + i * 50), Is.EqualTo(500).Within(0.001));
        }
        time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That(rate.Add(10), Is.Zero);
    }

    [Test]
    public void Progress_of_jobs_side_by_side_is_added_up()
    {
        var sum = new ProgressSum { Expected = 3 };
        var first = sum.Begin();
        first.Report(
            new TransferProgress { Bytes = 10, TotalBytes = 10, Files = 1, TotalFiles = 1, BytesPerSecond = 5, FilesPerSecond = 1 });
        first.Dispose();
        using var second = sum.Begin();
        second.Report(new TransferProgress { Bytes = 4, TotalBytes = 20, TotalFiles = 1, BytesPerSecond = 2, FilesPerSecond = 0.5 });
        Assert.That(sum.Snapshot(),
            Is.EqualTo(new TransferProgress { Bytes = 14, Files = 1, TotalFiles = 3, BytesPerSecond = 2, FilesPerSecond = 0.5 }));
        using var third = sum.Begin();
        third.Report(new TransferProgress { Bytes = 1, TotalBytes = 5, TotalFiles = 1 });
        Assert.That(sum.Snapshot().TotalBytes, Is.EqualTo(35));
    }

    [Test]
    public void The_weakest_check_is_the_one_that_is_claimed()
    {
        var report = new JobReport();
        Assert.That(report.Weakest, Is.Null);
        report.Add(new TransferResult { Bytes = 1, Verified = VerificationMode.Size });
        Assert.That(report.Weakest?.Verified, Is.EqualTo(VerificationMode.Size));
        report.Add(new TransferResult { Bytes = 2, Verified = VerificationMode.Reply });
        report.Add(new TransferResult { Bytes = 4, Verified = VerificationMode.Size });
        Assert.That((report.Files, report.Bytes, report.Weakest?.Verified),
            Is.EqualTo((3L, 7L, (VerificationMode?)VerificationMode.Reply)));
    }

    [Test]
    public void Of_hashes_the_one_that_shows_least_is_claimed_and_an_algorithm_that_all_have()
    {
        var report = new JobReport();
        report.Add(Hashed(HashSource.ReadBack, "SHA-256"));
        Assert.That(Claimed(), Is.EqualTo((VerificationMode.Hash, HashSource.ReadBack, "SHA-256")));
        var items = new JobReport();
        items.Add(Hashed(HashSource.Server, "SHA-256"));
        report.Add(items, null);
        report.Add(Hashed(HashSource.Command, "SHA-1"));
        Assert.That(Claimed(), Is.EqualTo((VerificationMode.Hash, HashSource.Server, "SHA-256")));
        report.Add(Hashed(HashSource.Server, "MD5"));
        Assert.That(Claimed(), Is.EqualTo((VerificationMode.Hash, HashSource.Server, (string?)null)));
        report.Add(new TransferResult { Verified = VerificationMode.Size });
        Assert.That(Claimed(), Is.EqualTo((VerificationMode.Size, (HashSource?)null, (string?)null)));

        (VerificationMode?, HashSource?, string?) Claimed() =>
            (report.Weakest?.Verified, report.Weakest?.HashSource, report.Weakest?.HashAlgorithm);

        static TransferResult Hashed(HashSource source, string algorithm) =>
            new() { Verified = VerificationMode.Hash, HashSource = source, HashAlgorithm = algorithm };
    }

    [TestCase(TransferError.NotFound, ExitCode.NotFound)]
    [TestCase(TransferError.Exists, ExitCode.SomeFailed)]
    [TestCase(TransferError.Denied, ExitCode.Denied)]
    [TestCase(TransferError.Quota, ExitCode.SomeFailed)]
    [TestCase(TransferError.Auth, ExitCode.Denied)]
    [TestCase(TransferError.HostKey, ExitCode.Trust)]
    [TestCase(TransferError.Tls, ExitCode.Trust)]
    [TestCase(TransferError.Timeout, ExitCode.Connection)]
    [TestCase(TransferError.Lost, ExitCode.Connection)]
    [TestCase(TransferError.Protocol, ExitCode.Connection)]
    [TestCase(TransferError.Integrity, ExitCode.Integrity)]
    [TestCase(TransferError.Unsupported, ExitCode.SomeFailed)]
    public void A_job_that_was_not_done_at_all_ends_with_its_reasons_code(TransferError error, int code)
    {
        var report = new JobReport();
        report.Add("a", new TransferException(error, "no"));
        report.Add("b", new TransferException(error, "no"));
        Assert.That(report.ExitCode, Is.EqualTo(code));
        report.Add(new TransferResult());
        Assert.That(report.ExitCode, Is.EqualTo(ExitCode.SomeFailed));
    }

    [Test]
    public void Different_reasons_have_no_common_code()
    {
        var report = new JobReport();
        report.Add("a", new TransferException(TransferError.NotFound, "no"));
        report.Add("b", new TransferException(TransferError.Denied, "no"));
        Assert.That(report.ExitCode, Is.EqualTo(ExitCode.SomeFailed));
    }

    [Test]
    public void An_interrupted_folder_is_counted_by_its_items()
    {
        var items = new JobReport { Prefix = "dir/", Name = "dir" };
        items.Report(new ItemResult { Path = "a", Result = new TransferResult { Bytes = 5, Verified = VerificationMode.Size } });
        items.Report(new ItemResult { Path = "b", Result = new TransferResult { Skipped = true } });
        items.Report(new ItemResult { Path = "c", Error = new TransferException(TransferError.Lost, "gone") });
        var report = new JobReport();
        report.Add(items, result: null);
        Assert.That((report.Files, report.Bytes, report.Skipped, report.Failed), Is.EqualTo((1L, 5L, 1L, 1L)));
        Assert.That(report.Failures.Select(f => (f.Path, f.Kind)), Is.EqualTo(new[] { ("dir/c", "lost") }));
    }

    [Test]
    public async Task The_json_of_a_job_has_the_documented_shape()
    {
        var report = new JobReport();
        report.Add(new TransferResult { Bytes = 7, Attempts = 3, Verified = VerificationMode.Size });
        report.Add("ftp://h/a", new TransferException(TransferError.NotFound, "no"));
        report.UseSessions(2);
        using var stream = new MemoryStream();
        await JsonOutput.WriteAsync(stream, JobJson.From(report, TimeSpan.FromSeconds(1.23456)), CancellationToken.None);
        Assert.That(
            System.Text.Encoding.UTF8.GetString(stream.ToArray()),
            Is.EqualTo(
                """{"files":1,"bytes":7,"skipped":0,"seconds":1.235,"sessions":2,"retries":2,"verified":"size","failed":[{"path":"ftp://h/a","error":"notFound","message":"no"}]}""" + "\n"));
    }

    [Test]
    public async Task The_json_of_an_entry_leaves_out_what_is_not_known()
    {
        Assert.That(await JsonAsync(new RemoteEntry { Path = "/d", Type = RemoteEntryType.Directory }),
            Is.EqualTo("""{"path":"/d","type":"directory"}""" + "\n"));
        using var full = JsonDocument.Parse(await JsonAsync(new RemoteEntry
        {
            Path = "/ä\n",
            Type = RemoteEntryType.Link,
            Length = 5,
            Modified = new DateTimeOffset(2031, 2, 3, 4, 5, 6, TimeSpan.FromHours(2)),
            Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead,
            Owner = "me",
            LinkTarget = "x",
        }));
        var root = full.RootElement;
        Assert.That(root.GetProperty("path").GetString(), Is.EqualTo("/ä\n"));
        Assert.That(root.GetProperty("mode").GetString(), Is.EqualTo("0640"));
        Assert.That(root.GetProperty("modified").GetDateTimeOffset(), Is.EqualTo(new DateTimeOffset(2031, 2, 3, 2, 5, 6, TimeSpan.Zero)));
        Assert.That(root.GetProperty("linkTarget").GetString(), Is.EqualTo("x"));
    }

    [Test]
    public async Task A_name_that_is_no_text_has_its_bytes_in_the_json_too()
    {
        using var json = JsonDocument.Parse(await JsonAsync(new RemoteEntry { Path = "/a b/\udce4", Type = RemoteEntryType.File }));
        Assert.That(json.RootElement.GetProperty("encodedPath").GetString(), Is.EqualTo("/a%20b/%E4"));
    }

    [TestCase(RemoteEntryType.Directory, 0x1ED, "drwxr-xr-x")]
    [TestCase(RemoteEntryType.File, 0x1A4, "-rw-r--r--")]
    [TestCase(RemoteEntryType.Link, 0x1FF, "lrwxrwxrwx")]
    [TestCase(RemoteEntryType.File, 0x800 | 0x1ED, "-rwsr-xr-x")]
    [TestCase(RemoteEntryType.Directory, 0x200 | 0x1FE, "drwxrwxrwT")]
    [TestCase(RemoteEntryType.Other, null, "??????????")]
    public void Permissions_look_as_in_ls(RemoteEntryType type, int? mode, string text) =>
        Assert.That(EntryTable.Permissions(new RemoteEntry { Path = "/x", Type = type, Mode = (UnixFileMode?)mode }), Is.EqualTo(text));

    private static async Task<string> JsonAsync(RemoteEntry entry)
    {
        using var stream = new MemoryStream();
        await JsonOutput.WriteAsync(stream, EntryJson.From(entry), CancellationToken.None);
        return System.Text.Encoding.UTF8.GetString(stream.ToArray());
    }
}
