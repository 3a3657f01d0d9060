using Transfer.Wan.Commands;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>The program's own command line.</summary>
public sealed class OptionTests
{
    [Test]
    public void A_report_says_how_it_is_repeated()
    {
        var options = ReportOptions.Parse("latency",
            ["--quick", "--rounds", "2", "--only", "sftp", "--congestion", "system", "--out", "/not-there/x"]);
        Assert.That(options.ToString(), Is.EqualTo("./build.sh wan latency --quick --rounds 2 --only sftp --congestion system"));
        Assert.That((options.Quick, options.Rounds, options.Only, options.CongestionControl, options.Directory),
            Is.EqualTo((true, 2, "sftp", (string?)null, "/not-there/x")));
        Assert.That(ReportOptions.Parse("latency", []).ToString(), Is.EqualTo("./build.sh wan latency"));
    }

    [TestCase("--round", "2")]
    [TestCase("--rounds")]
    [TestCase("--rounds", "many")]
    [TestCase("more")]
    public void What_makes_no_sense_is_refused(params string[] words) =>
        Assert.That(() => ReportOptions.Parse("latency", words), Throws.InstanceOf<UsageException>());

    [TestCase("")]
    [TestCase("/below/it")]
    public void A_file_is_no_folder_for_a_report(string below) =>
        Assert.That(() => ReportOptions.Parse("latency", ["--out", typeof(OptionTests).Assembly.Location + below]),
            Throws.InstanceOf<UsageException>());

    [Test]
    public void A_link_has_its_shape_and_a_command()
    {
        var options = LinkOptions.Parse(
            ["--rtt", "80", "--rate", "100", "--loss", "0.2", "--jitter", "4", "--queue", "64", "--far", "serve", "--", "ping", "--help"]);
        Assert.That(options.Settings.Shape,
            Is.EqualTo(new Transfer.Wan.Records.LinkShape { RoundTrip = 80, Rate = 100, Loss = 0.002, Jitter = 4 }));
        Assert.That((options.Settings.Queue, options.Far), Is.EqualTo((65536, "serve")));
        Assert.That(options.Command, Is.EqualTo(new[] { "ping", "--help" }));
    }

    [TestCase("--loss", "100")]
    [TestCase("--rtt", "10", "--jitter", "6")]
    [TestCase("--rtt", "-1")]
    [TestCase("ping")]
    public void A_link_that_cannot_be_is_refused(params string[] words) =>
        Assert.That(() => LinkOptions.Parse(words), Throws.InstanceOf<UsageException>());
}
