using Transfer.Wan.Records;
using Transfer.Wan.Reports;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Tests.Reports;

internal sealed class MachinePathTests
{
    [TestCase("Failed for \"wan:/tmp/transfer-wan-479/Ssh-5/root/in\": NewFs", "Failed for \"wan:…/in\": NewFs")]
    [TestCase("sftp://tester@10.77.0.2:2121/tmp/transfer-wan-4/root/in/f1.bin: denied", "sftp://tester@10.77.0.2:2121…/f1.bin: denied")]
    [TestCase("/tmp/a/b/ and '/home/some user/x'", "…/b and '…/some user/x'")]
    [TestCase("/usr/bin/scp: /served/in: No such file.", "…/scp: …/in: No such file.")]
    [TestCase("2026/11/21 15:59:49 10 MB/s, and/or ~/x/y", "2026/11/21 15:59:49 10 MB/s, and/or ~/x/y")]
    [TestCase("data/latency.jsonl, docs/reports/x.md, ./build.sh, ../a/b", "data/latency.jsonl, docs/reports/x.md, ./build.sh, ../a/b")]
    [TestCase("http://host/ and ftp://host:21 and /in", "http://host/ and ftp://host:21 and /in")]
    [TestCase("exit code 7: …/in", "exit code 7: …/in")]
    [TestCase("", "")]
    public void Of_a_path_the_last_name_stays(string text, string shortened)
    {
        Assert.That(MachinePaths.Shorten(text), Is.EqualTo(shortened));
        Assert.That(MachinePaths.Shorten(shortened), Is.EqualTo(shortened));
    }

    [Test]
    public void No_page_has_a_path_of_the_machine()
    {
        var turns = Sample.Turns("rclone 8", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 1).Failing(
            "no such file: /tmp/transfer-wan-479/scratch/in");
        var page = ReportWriter.Compose("small-files",
            [Sample.Run("small-files"), Sample.Link("a", 100), .. turns,
            new LeftOut { Scenario = "s", Why = "/work/tree/servers/sshd is missing" }])["small-files.md"];
        Assert.That(page, Does.Contain("No such file: …/in").And.Contain("all clients, s: …/sshd is missing"));
        Assert.That(page, Does.Not.Contain("/tmp").And.Not.Contain("/work"));
    }
}
