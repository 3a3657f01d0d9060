using System.Xml.Linq;
using Transfer.Wan.Records;
using Transfer.Wan.Reports;

namespace Transfer.Wan.Tests.Reports;

internal sealed class ReportWriterTests
{
    private static IEnumerable<string> Names => ReportWriter.Definitions.Select(definition => definition.Name);

    [Test]
    public void There_is_a_report_for_each_document_and_one_of_the_targets() =>
        Assert.That(Names,
            Is.EqualTo(new[] { "small-files", "start-up", "trees", "walks", "batch", "latency", "sftp-throughput", "host-to-host",
                "dotnet-ftp-fix", "sessions", "cmdlets", "targets" }));

    [TestCaseSource(nameof(Names))]
    public void A_report_of_nothing_says_so(string report)
    {
        foreach (WanRecord[] records in (WanRecord[][])[[], [Sample.Run(report)], [new LeftOut { Scenario = "a", Why = "no root" }]])
        {
            var files = ReportWriter.Compose(report, records);
            Assert.That(files.Keys, Is.EqualTo(new[] { report + ".md" }));
            Assert.That(files[report + ".md"],
                Does.StartWith("# ").And.Contain("## How it was measured").And.Contain(
                    report == "targets" ? "0 met" : "Nothing was measured."));
        }
    }

    [TestCaseSource(nameof(Names))]
    public void A_report_names_its_command_machine_links_failures_and_what_was_left_out(string report)
    {
        var files = ReportWriter.Compose(report, Mixed(report));
        var page = files[report + ".md"];
        Assert.That(page, Does.Contain($"    ./build.sh wan {report} --quick\n"));
        Assert.That(page,
            Does.Contain("at commit 0123abc").And.Contain("2 x Example CPU, 8 GiB").And.Contain("cubic").And.Contain("3.0.3").And.Contain(
                "`--quick` means"));
        Assert.That(page, Does.Match(@"\| a +\| tun +\| +100 ms \| 101 ms \| +100 Mbit/s"));
        Assert.That(page, Does.Contain("- `curl` at 1x80000000-up-ftp-vsftpd-a: 1 of 2 turns. Exit code 7"));
        Assert.That(page, Does.Contain("- `scp` at 1x80000000-up-sftp-openssh-a: 1 of 1 turns. Contents differ: f"));
        Assert.That(page,
            Does.Contain("- `rclone 8`, s1, s2 and s3: not installed").And.Contain("- all clients, s4: only root can start it"));
        Assert.That(page, Does.Contain("\\* extrapolated:").And.Contain("† stopped:"));
        Assert.That(page, Does.Contain("[data/" + report + ".jsonl]"));
    }

    [Test]
    public void What_was_the_same_for_several_runs_is_told_once()
    {
        var other = Sample.Run("targets") with { Kernel = "6.2.0" };
        var page = ReportWriter.Compose("targets", [Sample.Run("latency"), Sample.Run("small-files"), other])["targets.md"];
        Assert.That(page.Split("2 x Example CPU, 8 GiB").Length - 1, Is.EqualTo(2));
        Assert.That(page, Does.Contain("### The run of small-files\n\nMachine and programs as in the run of latency.\n"));
        Assert.That(page, Does.Contain("6.2.0"));
    }

    [TestCaseSource(nameof(Names))]
    public void Every_chart_of_a_report_is_a_file_and_every_file_a_chart_of_it(string report)
    {
        var files = ReportWriter.Compose(report,
            [.. Mixed(report),
            .. Sample.Turns("transfer --sessions 1 --ciphers aes128-gcm", "SFTP", "OpenSSH", "up", 1, 1 << 28, "loopback", 1, 2)]);
        var charts = files.Keys.Where(name => name.EndsWith(".svg", StringComparison.Ordinal)).ToList();
        // The sample has no operation on a tree.
        Assert.That(charts, report is "targets" or "sessions" or "trees" ? Is.Empty : Is.Not.Empty);
        foreach (var chart in charts)
        {
            Assert.That(chart, Does.Match($"^{report}-[a-z0-9.-]+\\.svg$"));
            Assert.That(files[report + ".md"], Does.Contain($"]({chart})"));
            Assert.That(XDocument.Parse(files[chart]).Root!.Name.LocalName, Is.EqualTo("svg"));
        }

        Assert.That(files[report + ".md"].Split("![").Length - 1, Is.EqualTo(charts.Count));
    }

    [TestCaseSource(nameof(Names))]
    public void All_rows_of_a_table_have_as_many_cells_as_its_header(string report)
    {
        var width = 0;
        foreach (var line in ReportWriter.Compose(report, Mixed(report))[report + ".md"].Split('\n'))
        {
            var cells =
                line.StartsWith('|') ? line.Replace("\\|", string.Empty, StringComparison.Ordinal).Count(letter => letter == '|') : 0;
            if (width > 0 && cells > 0) Assert.That(cells, Is.EqualTo(width), line);
            width = cells;
        }
    }

    [Test]
    public void A_report_that_does_not_exist_is_refused() =>
        Assert.That(() => ReportWriter.Compose("speed", []), Throws.ArgumentException.With.Message.Contains("speed"));

    [Test]
    public void A_link_in_process_is_told_so() =>
        Assert.That(
            ReportWriter.Compose("latency",
                [Sample.Run("latency"), Sample.Link("a", 10, means: "in-process"),
                .. Sample.Turns("transfer", "FTP", "embedded", "up", 1, 1000, "a", 1)])["latency.md"],
                Does.Contain("**In-process link:**"));

    [Test]
    public void Files_are_written_and_charts_that_are_no_more_are_deleted()
    {
        var directory = Path.Combine(TestContext.CurrentContext.WorkDirectory, $"reports-{Guid.NewGuid():N}");
        try
        {
            Directory.CreateDirectory(directory);
            File.WriteAllText(Path.Combine(directory, "latency-old.svg"), "old");
            File.WriteAllText(Path.Combine(directory, "targets-other.svg"), "another report's");
            ReportWriter.Write("latency", Mixed("latency"), directory);
            Assert.That(Directory.EnumerateFiles(directory).Select(Path.GetFileName),
                Is.EquivalentTo(new[] { "latency.md", "latency-up.svg", "targets-other.svg" }));
            Assert.That(File.ReadAllBytes(Path.Combine(directory, "latency.md"))[0], Is.EqualTo((byte)'#'));
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static WanRecord[] Mixed(string report) =>
    [
        Sample.Run(report, quick: true),
        Sample.Link("a", 100),
        .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 1, 80_000_000, "a", 3.5, 3.6),
        .. Sample.Turns("scp", "SFTP", "OpenSSH", "up", 1, 80_000_000, "a", 7).Failing("contents differ: f"),
        .. Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "up", 1, 80_000_000, "a", 7).Select(
            turn => turn with { BytesMoved = 1_000_000 }),
        .. Sample.Turns("curl", "FTP", "vsftpd", "up", 1, 80_000_000, "a", 5),
        .. Sample.Turns("curl", "FTP", "vsftpd", "up", 1, 80_000_000, "a", 5).Failing("exit code 7"),
        .. Sample.Turns("stock .NET", "FTP", "vsftpd", "up", 10_000, 1000, "a", 60).Select(turn => turn with { FilesMoved = 10 }),
        new LeftOut { Scenario = "s1", Client = "rclone 8", Why = "not installed" },
        new LeftOut { Scenario = "s2", Client = "rclone 8", Why = "not installed" },
        new LeftOut { Scenario = "s3", Client = "rclone 8", Why = "not installed" },
        new LeftOut { Scenario = "s4", Why = "only root can start it" },
    ];
}
