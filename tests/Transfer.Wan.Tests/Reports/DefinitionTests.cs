using Transfer.Wan.Records;
using Transfer.Wan.Reports;

namespace Transfer.Wan.Tests.Reports;

internal sealed class DefinitionTests
{
    private const int Large = 80_000_000;

    [Test]
    public void Small_files_are_compared_with_ours_at_the_same_server()
    {
        var page = Page("small-files",
            Sample.Link("a", 100),
            Sample.Turns("transfer", "FTP", "vsftpd", "up", 200, Sample.SmallFile, "a", 5, 6),
            Sample.Turns("transfer --sessions 1", "FTP", "vsftpd", "up", 200, Sample.SmallFile, "a", 68.68),
            Sample.Turns("lftp", "FTP", "vsftpd", "up", 200, Sample.SmallFile, "a", 110),
            Sample.Turns("curl", "FTP", "vsftpd", "up", 200, Sample.SmallFile, "a", 5.4),
            Sample.Turns("transfer", "FTP", "ProFTPD", "up", 200, Sample.SmallFile, "a", 4),
            Sample.Turns("lftp", "FTP", "ProFTPD", "up", 200, Sample.SmallFile, "a", 100));
        Assert.That(page, Does.Contain("## 200 files of 10 KB up, FTP, 100 ms, 100 Mbit/s"));
        Assert.That(page,
            Does.Contain(
                "- vsftpd: `transfer` takes 5.50 s. **Not faster** than `curl` (5.40 s, 0.98x as long, ranges overlap); `lftp` (110 s, "
                + "20.0x as long)."));
        Assert.That(page, Does.Contain("- ProFTPD: `transfer` takes 4.00 s, `lftp` (100 s, 25.0x as long)."));
        Assert.That(Row(page, "`transfer --sessions 1`"),
            Is.EqualTo(new[] { "`transfer --sessions 1`", "vsftpd", "68.7 s", "68.7 s", "1", "12.5x", "3.40", "17.2 s" }));
        Assert.That(page, Does.Contain("38 min 29 s").And.Contain("Published (document 1"));
    }

    [Test]
    public void Ours_that_beats_every_peer_is_told_with_the_nearest_and_the_farthest() => Assert.That(
        Page("small-files",
            Sample.Link("a", 100),
            Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 2),
            Sample.Turns("scp", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 80),
            Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 3),
            Sample.Turns("sftp", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 20)),
        Does.Contain(
            "- OpenSSH: `transfer` takes 2.00 s, less than every peer: `rsync over ssh` (3.00 s, 1.50x as long) and `scp` (80.0 s, "
            + "40.0x as long)."));

    [Test]
    public void Operations_on_a_tree_stand_apart_with_the_time_to_the_first_line_where_one_is_printed()
    {
        var page = Page("trees",
            Sample.Link("a", 100),
            Sample.Turns("transfer", "FTP", "vsftpd", "ls", 10_000, 1024, "a", 2).Select(
                turn => turn with { FirstSeconds = 0.9, PeakBytes = 40_000_000 }),
            Sample.Turns("rclone 8", "FTP", "vsftpd", "ls", 10_000, 1024, "a", 22),
            Sample.Turns("transfer", "SFTP", "OpenSSH", "rm", 10_000, 1024, "a", 4));
        Assert.That(page, Does.Contain("## List all").And.Contain("## Delete all").And.Not.Contain("## Permissions"));
        Assert.That(Rows(page, "`transfer`"), Is.EqualTo(new string[][]
        {
            ["`transfer`", "FTP", "vsftpd", "2.00 s", "2.00 s", "1", "0.90 s", "1.00x", "0.50 s, 0.05 s a 1,000", "40 MB"],
            ["`transfer`", "SFTP", "OpenSSH", "4.00 s", "4.00 s", "1", "1.00x", "1.00 s, 0.10 s a 1,000", "–"],
        }));
        Assert.That(Row(page, "`rclone 8`")[6..8], Is.EqualTo(new[] { "–", "11.0x" }));
    }

    [Test]
    public void Processor_time_of_large_files_counts_for_a_gibibyte() => Assert.That(
        Row(Page("start-up", Sample.Link("a", 100), Sample.Turns("transfer", "FTPS", "vsftpd", "down", 1, 1 << 28, "a", 4)),
            "`transfer`")[^1], Is.EqualTo("1.00 s, 4.00 s a GiB"));

    [Test]
    public void What_was_left_out_of_a_work_has_a_row_that_says_why()
    {
        Measured[] turns = [.. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 10_000, Sample.SmallFile, "a", 11)];
        var page = Page("small-files", Sample.Link("a", 100), turns,
            [new LeftOut { Scenario = turns[0].Scenario, Client = "transfer send", Why = "only root can start it" }]);
        Assert.That(Row(page, "`transfer send`")[..3], Is.EqualTo(new[] { "`transfer send`", "–", "only root can start it" }));
    }

    [Test]
    public void Latency_says_that_ours_is_above_every_peer_only_when_it_is()
    {
        IEnumerable<WanRecord> Records(double oursFar) =>
        [
            Sample.Link("near", 0.5, loss: 0.002, jitter: 0.05), Sample.Link("far", 300, loss: 0.002, jitter: 30),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "down", 1, Large, "near", 1),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "down", 1, Large, "far", oursFar),
            .. Sample.Turns("scp", "SFTP", "OpenSSH", "down", 1, Large, "near", 2),
            .. Sample.Turns("scp", "SFTP", "OpenSSH", "down", 1, Large, "far", 40),
            .. Sample.Turns("axel 20", "HTTP", "lighttpd", "down", 1, Large, "near", 4),
            .. Sample.Turns("axel 20", "HTTP", "lighttpd", "down", 1, Large, "far", 20),
        ];

        Assert.That(Page("latency", Records(10)),
            Does.Contain(
                "- `transfer` is above every peer at every round trip measured (2 of 2): closest at 0.5 ms (80.0 against 40.0 MB/s by "
                + "`scp`)."));
        var page = Page("latency", Records(25));
        Assert.That(page,
            Does.Contain(
                "- `transfer` is above every peer at 1 of 2 round trips. **Not** at 300 ms (3.20 against 4.00 MB/s by `axel 20`)."));
        Assert.That(Row(page, "`axel 20`"), Is.EqualTo(new[] { "`axel 20`", "20.0", "4.00" }));
        Assert.That(Row(page, "HTTP, 20 connections"),
            Is.EqualTo(new[] { "HTTP, 20 connections", "63.0", "8.10", "12.9 %", "`axel 20`", "20.0", "4.00", "20 %" }));
        Assert.That(Row(page, "rsync"), Is.EqualTo(new[] { "rsync", "11.2", "3.10", "27.7 %", "not measured", "–", "–", "–" }));
    }

    [Test]
    public void A_client_with_two_protocols_has_a_curve_for_each_and_one_that_failed_is_not_above()
    {
        var page = Page("latency",
            Sample.Link("a", 10, loss: 0.002),
            Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 1, Large, "a", 1).Failing("no"),
            Sample.Turns("transfer", "FTP", "vsftpd", "up", 1, Large, "a", 1),
            Sample.Turns("scp", "SFTP", "OpenSSH", "up", 1, Large, "a", 2));
        Assert.That(page, Does.Contain("- `transfer (FTP)` is above every peer at every"));
        Assert.That(page,
            Does.Contain(
                "- `transfer (SFTP)` is above every peer at 0 of 1 round trips. **Not** at 10 ms (failed against 40.0 MB/s by `scp`)."));
    }

    [Test]
    public void Ciphers_and_streams_are_told_from_labels()
    {
        var page = Page("sftp-throughput",
            Sample.Turns("transfer --sessions 1 --segments 1 --ciphers aes128-gcm@openssh.com", "SFTP", "OpenSSH", "down", 1, 1 << 28,
                "loopback", 1),
            Sample.Turns("transfer --sessions 4 --segments 1 --ciphers aes128-gcm@openssh.com", "SFTP", "OpenSSH", "down", 4, 1 << 28,
                "loopback", 2),
            Sample.Turns("transfer --sessions 1 --segments 1 --ciphers aes128-ctr", "SFTP", "OpenSSH", "down", 1, 1 << 28, "loopback", 2),
            Sample.Turns("sftp -c aes128-gcm@openssh.com", "SFTP", "OpenSSH", "down", 1, 1 << 28, "loopback", 0.8),
            Sample.Turns("sftp -c aes128-ctr -o MACs=hmac-sha2-256-etm@openssh.com", "SFTP", "OpenSSH", "down", 1, 1 << 28, "loopback", 4));
        Assert.That(page,
            Does.Contain("- One stream, aes128-gcm: ours 268 MB/s, `sftp -c aes128-gcm@openssh.com` 336 MB/s: 0.80x, **slower**."));
        Assert.That(page, Does.Contain("- transfer, aes128-gcm: 268 MB/s with one stream, 537 MB/s with 4: 2.00x."));
        Assert.That(page, Does.Contain("- `sftp`, one stream: aes128-gcm has 5.00x the throughput of aes128-ctr + hmac-sha2-256-etm."));
        Assert.That(Row(page, "transfer, aes128-gcm"), Is.EqualTo(new[] { "transfer, aes128-gcm", "268", "537" }));
    }

    [Test]
    public void Host_to_host_is_compared_with_rsync_by_time_and_processor()
    {
        var page = Page("host-to-host",
            Sample.Link("a", 1, rate: 1000),
            Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 100_000, 1000, "a", 20).Select(turn => turn with { Scenario = "x-cold" }),
            Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "up", 100_000, 1000, "a", 50).Select(
                turn => turn with { Scenario = "x-cold" }));
        Assert.That(page, Does.Contain("## 100,000 files of 1 KB up, SFTP, 1 ms, 1 Gbit/s, cold page cache"));
        Assert.That(page, Does.Contain("- Processor time of the client: `transfer` 5.00 s, `rsync over ssh` 12.5 s."));
        Assert.That(page,
            Does.Contain("- `rsync over ssh` takes 2.50x as long as `transfer`; the target is 2x or more for 100,000 files."));
        Assert.That(page, Does.Contain("165 s").And.Contain("on other hardware"));
    }

    [Test]
    public void Batch_mode_has_columns_for_memory_and_traffic_and_is_what_others_are_compared_with()
    {
        var page = Page("batch",
            Sample.Link("a", 100),
            Sample.Turns("transfer send", "SFTP", "OpenSSH", "up", 10_000, Sample.SmallFile, "a", 10).Select(
                turn => turn with
                {
                    PeakBytes = 90_400_000,
                    FarPeakBytes = 80_000_000,
                    SentBytes = 104_000_000,
                    ReceivedBytes = 1_500_000
                }),
            Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 10_000, Sample.SmallFile, "a", 12),
            Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "up", 10_000, Sample.SmallFile, "a", 11).Select(
                turn => turn with { PeakBytes = 20_000_000 }));
        Assert.That(Row(page, "`transfer send`"),
            Is.EqualTo(
                new[] { "`transfer send`", "goes to a `transfer receive` that waits at the other end, as an sshd does for the others",
                    "the command's: it ends when the receiver has confirmed the last archive, which is then on the disk" }));
        Assert.That(Rows(page, "`transfer send`")[1],
            Is.EqualTo(new[] { "`transfer send`", "OpenSSH", "10.0 s", "10.0 s", "1", "1.00x", "0.01",
                "2.50 s, 0.25 s a 1,000", "90 MB", "80 MB", "104 MB", "1.5 MB" }));
        Assert.That(Row(page, "`rsync over ssh`")[5..],
            Is.EqualTo(new[] { "1.10x", "0.01", "2.75 s, 0.28 s a 1,000", "20 MB", "–", "–", "–" }));
        Assert.That(page, Does.Contain("- OpenSSH: `transfer send` takes 10.0 s").And.Contain("## Memory and traffic"));
    }

    [Test]
    public void What_went_up_for_several_recipients_is_told()
    {
        IEnumerable<Measured> Turns(string client, long sent) =>
            Sample.Turns(client, "FTPS", "vsftpd", "up", 10_000, 10_000, "a", 20).Select(turn => turn with { SentBytes = sent });
        var page = Page("batch", Sample.Link("a", 100), Turns("transfer send --to 5 there", 110_000_000),
            Turns("transfer send --to 1 there", 109_000_000), Turns("transfer send --to 1 here", 112_000_000));
        Assert.That(page, Does.Contain("- `transfer send --to 5 there`: 110 MB went up for 5 recipients, 1.10x the content."));
        Assert.That(page, Does.Not.Contain("- `transfer send --to 1 here`: 1"));
    }

    [Test]
    public void Fixes_are_shown_one_by_one_and_together()
    {
        var page = Page("dotnet-ftp-fix",
            Sample.Link("a", 80),
            Sample.Turns("transfer", "FTP", "vsftpd", "up", 2, 500_000, "a", 1),
            Sample.Turns("stock .NET --no-reverse-lookup --send-buffer 1048576 --overlap-commands --keep-session", "FTP", "vsftpd", "up", 2,
                500_000, "a", 1.6),
            Sample.Turns("stock .NET --overlap-commands", "FTP", "vsftpd", "up", 2, 500_000, "a", 18, 20, 21),
            Sample.Turns("stock .NET --no-reverse-lookup", "FTP", "vsftpd", "up", 2, 500_000, "a", 12),
            Sample.Turns("stock .NET", "FTP", "vsftpd", "up", 2, 500_000, "a", 16, 18, 19),
            Sample.Turns("curl", "FTP", "vsftpd", "up", 2, 500_000, "a", 3));
        Assert.That(page, Does.Contain("- Before: 9.00 s a file."));
        Assert.That(page, Does.Contain("- `--no-reverse-lookup` alone saves 3.00 s a file (33.3 %)."));
        Assert.That(page, Does.Contain("- `--overlap-commands` alone **costs** 1.00 s a file; the ranges overlap."));
        Assert.That(page, Does.Contain("--keep-session`: 0.80 s a file, 11.3x as fast as before; under the published 1 s: yes."));
        var rows = page.Split('\n').Where(
            line => line.StartsWith("| `", StringComparison.Ordinal) && line.Contains(" s ", StringComparison.Ordinal))
            .Select(line => line.Split('`')[1]).ToList();
        Assert.That((rows[0], rows[^3], rows[^2], rows[^1]), Is.EqualTo((
            "stock .NET", "stock .NET --no-reverse-lookup --send-buffer 1048576 --overlap-commands --keep-session", "transfer", "curl")));
    }

    [Test]
    public void A_library_is_compared_as_it_is_tuned_under_our_engine_and_with_our_engine()
    {
        var page = Page("dotnet-ftp-fix",
            Sample.Link("a", 80),
            Sample.Turns("stock .NET", "FTP", "vsftpd", "up", 2, 500_000, "a", 18),
            Sample.Turns("transfer", "FTP", "vsftpd", "up", 2, 500_000, "a", 1),
            Sample.Turns("Transfer.FluentFtp", "FTP", "vsftpd", "up", 2, 500_000, "a", 2),
            Sample.Turns("FluentFTP tuned", "FTP", "vsftpd", "up", 2, 500_000, "a", 5, 6, 7),
            Sample.Turns("FluentFTP", "FTP", "vsftpd", "up", 2, 500_000, "a", 5, 8, 9));
        Assert.That(page, Does.Contain("`FluentFTP tuned`: the same client with the settings that our adapter's `Tune` gives it."));
        Assert.That(page, Does.Contain("- `FluentFTP` as it is: 4.00 s a file."));
        Assert.That(page, Does.Contain("- `FluentFTP tuned`: 3.00 s a file, 1.33x as fast as `FluentFTP`; the ranges overlap."));
        Assert.That(page, Does.Contain("- `Transfer.FluentFtp`: 1.00 s a file, 4.00x as fast as `FluentFTP`."));
        Assert.That(page, Does.Contain("- `transfer`: 0.50 s a file, 8.00x as fast as `FluentFTP`."));
    }

    [Test]
    public void Over_SFTP_a_library_takes_the_place_of_the_stock_client()
    {
        var page = Page("dotnet-ftp-fix",
            Sample.Link("a", 80),
            Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 2, 500_000, "a", 1),
            Sample.Turns("SSH.NET", "SFTP", "OpenSSH", "up", 2, 500_000, "a", 4));
        var row = page.Split('\n').Single(line => line.StartsWith("| `transfer`", StringComparison.Ordinal));
        Assert.That(row, Does.Contain("1.50 s").And.Contain("75 %"), "saved a file, and of the library's time");
    }

    [Test]
    public void A_pipeline_is_compared_with_the_folder_without_the_shells_start()
    {
        var page = Page("cmdlets",
            Sample.Link("a", 100),
            Sample.Turns("pwsh", "SFTP", "OpenSSH", "up", 200, 10 << 10, "a", 2),
            Sample.Turns("pwsh pipeline", "SFTP", "OpenSSH", "up", 200, 10 << 10, "a", 3.5),
            Sample.Turns("pwsh folder", "SFTP", "OpenSSH", "up", 200, 10 << 10, "a", 3),
            Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, 10 << 10, "a", 1.5),
            Sample.Turns("SSH.NET", "SFTP", "OpenSSH", "up", 200, 10 << 10, "a", 84));
        Assert.That(page, Does.Contain("- Start of the shell, import of the module, and log-in: 2.00 s."));
        Assert.That(page, Does.Contain("the pipeline takes 1.50x the folder's time."));
        Assert.That(page, Does.Contain("takes 24.0x the time of the whole pipeline"));
    }

    [TestCase(1.1, "1.10x", "1 of 1")]
    [TestCase(1.2, "1.20x **no**", "0 of 1")]
    public void The_chosen_number_of_sessions_is_compared_with_the_best_fixed_one(double auto, string ratio, string met)
    {
        var page = Page("sessions",
            Sample.Link("a", 20),
            Sample.Turns("transfer", "FTP", "vsftpd", "up", 320, 10 << 10, "a", auto),
            Sample.Turns("transfer --sessions 16", "FTP", "vsftpd", "up", 320, 10 << 10, "a", 1),
            Sample.Turns("transfer --sessions 4", "FTP", "vsftpd", "up", 320, 10 << 10, "a", 3).Failing("no"),
            Sample.Turns("transfer --sessions 8", "FTP", "vsftpd", "up", 320, 10 << 10, "a", 2));
        Assert.That(page, Does.Contain("## Small files, up").And.Contain($"within 15 % of the best fixed number on {met} links."));
        Assert.That(Row(page, "link"), Is.EqualTo(new[] { "link", "work", "auto", "range", "4", "8", "16", "auto against the best" }));
        Assert.That(Row(page, "a")[4..], Is.EqualTo(new[] { "failed", "2.00 s", "1.00 s", ratio }));
    }

    private static string Page(string report, params IEnumerable<WanRecord>[] records) =>
        ReportWriter.Compose(report, [Sample.Run(report), .. records.SelectMany(each => each)])[report + ".md"];

    private static string Page(string report, WanRecord first, params IEnumerable<WanRecord>[] records) =>
        Page(report, [[first], .. records]);

    // The first row of a table whose first cell is that.
    private static string[] Row(string page, string first) => Rows(page, first)[0];

    private static string[][] Rows(string page, string first) =>
        [.. page.Split('\n').Where(line => line.StartsWith('|')).Select(
            line => line.Trim('|').Split('|').Select(cell => cell.Trim()).ToArray()).Where(cells => cells[0] == first)];
}
