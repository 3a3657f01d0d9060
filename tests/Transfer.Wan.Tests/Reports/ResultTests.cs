using Transfer.Wan.Records;
using Transfer.Wan.Reports.Data;

namespace Transfer.Wan.Tests.Reports;

internal sealed class ResultTests
{
    [Test]
    public void A_summary_has_the_middle_of_an_odd_number_and_the_mean_of_the_middle_two_of_an_even_one()
    {
        Assert.That(Summary.Of([3, 1, 2]), Is.EqualTo(new Summary(2, 1, 3, 3)));
        Assert.That(Summary.Of([4, 1, 3, 2]), Is.EqualTo(new Summary(2.5, 1, 4, 4)));
        Assert.That(Summary.Of([7]), Is.EqualTo(new Summary(7, 7, 7, 1)));
        Assert.That(Summary.Of([]), Is.Null);
    }

    [Test]
    public void A_summary_through_a_falling_function_keeps_its_ends_in_order() =>
        Assert.That(new Summary(2, 1, 4, 3).Through(seconds => 8 / seconds), Is.EqualTo(new Summary(4, 2, 8, 3)));

    [Test]
    public void Turns_are_gathered_by_scenario_client_and_link()
    {
        var run = Of([
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 2, 4, 3),
            .. Sample.Turns("scp", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 80),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "down", 200, Sample.SmallFile, "a", 5),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "b", 6)]);
        Assert.That(run.Select(result => (result.Client, result.Direction, result.LinkName, result.Seconds!.Value.Median)), Is.EqualTo(new[]
        {
            ("transfer", "up", "a", 3.0), ("scp", "up", "a", 80), ("transfer", "down", "a", 5), ("transfer", "up", "b", 6),
        }));
    }

    [Test]
    public void Failed_turns_count_as_failures_and_not_as_times()
    {
        var result = Of([
            .. Sample.Turns("curl", "FTP", "vsftpd", "up", 1, 1000, "a", 2, 3),
            .. Sample.Turns("curl", "FTP", "vsftpd", "up", 1, 1000, "a", 1).Failing("exit code 7"),
            Sample.Turns("curl", "FTP", "vsftpd", "up", 1, 1000, "a", 0.5).Single() with { Error = "contents differ: f1" }]).Single();
        Assert.That(result.Seconds, Is.EqualTo(new Summary(2.5, 2, 3, 2)));
        Assert.That(result.Failures.Select(turn => turn.Error), Is.EqualTo(new[] { "exit code 7", "contents differ: f1" }));
        Assert.That(result.ProcessorSeconds, Is.EqualTo(new Summary(0.625, 0.5, 0.75, 2)));
    }

    [Test]
    public void A_client_that_only_failed_has_no_times()
    {
        var result = Of(Sample.Turns("curl", "FTP", "vsftpd", "up", 1, 1000, "a", 2).Failing("no")).Single();
        Assert.That((result.Seconds, result.ProcessorSeconds, result.MegabytesPerSecond, result.RoundTripsPerFile),
            Is.EqualTo(((Summary?)null, (Summary?)null, (Summary?)null, (double?)null)));
    }

    [Test]
    public void A_part_of_the_files_is_extrapolated_to_all()
    {
        var result = Of(
            Sample.Turns("stock .NET", "FTP", "vsftpd", "up", 10_000, 1000, "a", 12).Select(turn => turn with { FilesMoved = 100 }))
            .Single();
        Assert.That((result.Seconds!.Value.Median, result.ProcessorSeconds!.Value.Median, result.IsExtrapolated, result.IsStopped),
            Is.EqualTo((1200.0, 300.0, true, false)));
    }

    [Test]
    public void A_client_that_was_stopped_counts_by_its_rate()
    {
        var result = Of(
            Sample.Turns("scp", "SFTP", "OpenSSH", "down", 1, 80_000_000, "a", 10).Select(turn => turn with { BytesMoved = 20_000_000 }))
            .Single();
        Assert.That((result.Seconds!.Value.Median, result.MegabytesPerSecond!.Value.Median, result.IsStopped, result.IsExtrapolated),
            Is.EqualTo((40.0, 2.0, true, false)));
    }

    [TestCase("down", 40)]
    [TestCase("up", 10)]
    [TestCase("rm", 10, Description = "What it did are no bytes of the link.")]
    public void A_stopped_client_that_has_reserved_the_file_counts_by_what_the_link_carried(string direction, double seconds)
    {
        var result = Of(Sample.Turns("lftp pget 20", "SFTP", "OpenSSH", direction, 1, 80_000_000, "a", 10).Select(turn => turn with
        {
            BytesMoved = 80_000_000,
            SentBytes = 90_000_000,
            ReceivedBytes = 20_000_000,
        })).Single();
        Assert.That((result.Seconds!.Value.Median, result.IsStopped), Is.EqualTo((seconds, true)));
    }

    [Test]
    public void A_client_that_had_moved_nothing_has_failed()
    {
        var turn = Sample.Turns("scp", "SFTP", "OpenSSH", "down", 10, 1000, "a", 10).Single();
        var results = Of([turn with { BytesMoved = 0 }, turn with { FilesMoved = 0, Client = "sftp" },
            turn with { Seconds = null, Client = "curl" }]).ToList();
        Assert.That(results.Select(result => (result.Seconds, result.Failures.Count)), Is.All.EqualTo(((Summary?)null, 1)));
    }

    [Test]
    public void Memory_is_the_most_of_all_good_turns_and_traffic_is_that_of_all_files()
    {
        var turns = Sample.Turns("lftp", "FTP", "vsftpd", "up", 100, 1000, "a", 1, 2, 3).ToList();
        var result = Of(
        [
            turns[0] with { PeakBytes = 5, FarPeakBytes = 7, SentBytes = 30, ReceivedBytes = 3, FilesMoved = 10 },
            turns[1] with { PeakBytes = 6, SentBytes = 500, ReceivedBytes = 50 },
            turns[2] with { PeakBytes = 99, Error = "no" },
        ]).Single();
        Assert.That((result.Peak, result.FarPeak), Is.EqualTo(((long?)6, (long?)7)));
        Assert.That((result.Sent!.Value.Median, result.Received!.Value.Median), Is.EqualTo((400.0, 40.0)));
        Assert.That(Of(Sample.Turns("curl", "FTP", "vsftpd", "up", 1, 1000, "a", 1)).Single(),
            Has.Property("Peak").Null.And.Property("Sent").Null);
    }

    [Test]
    public void Of_several_reports_the_newest_run_is_the_last_and_what_another_measured_is_not_left_out()
    {
        Measured[] turns = [.. Sample.Turns("transfer send", "SFTP", "OpenSSH", "up", 200, 1000, "a", 1)];
        WanRecord[] records =
        [
            Sample.Run("batch") with { Started = Sample.Run("batch").Started.AddHours(1) }, .. turns,
            Sample.Run("targets"),
            new LeftOut { Scenario = turns[0].Scenario.ToUpperInvariant(), Client = "transfer send", Why = "not yet" },
            new LeftOut { Scenario = turns[0].Scenario, Client = "scp", Why = "not installed" },
        ];
        var data = ReportData.OfAll(records);
        Assert.That(data.Runs.Select(run => run.Started!.Report), Is.EqualTo(new[] { "targets", "batch" }));
        Assert.That(data.LeftOut.Select(left => left.Client), Is.EqualTo(new[] { "scp" }));
    }

    [Test]
    public void Round_trips_a_file_are_those_of_the_link_as_it_was()
    {
        var result = Of(Sample.Turns("transfer --sessions 1", "FTP", "vsftpd", "up", 200, Sample.SmallFile, "a", 48.48)).Single();
        Assert.That(result.RoundTripsPerFile, Is.EqualTo(2.4).Within(1e-9));
        Assert.That(result.RoundTrip, Is.EqualTo(100));
    }

    [Test]
    public void Over_loopback_there_is_no_link()
    {
        var result = Result.Of(new Run(null, [], [.. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 1, 1000, "loopback", 1)], []))
            .Single();
        Assert.That((result.Link, result.RoundTrip, result.RoundTripsPerFile),
            Is.EqualTo(((LinkChecked?)null, (double?)null, (double?)null)));
    }

    [TestCase("transfer", true)]
    [TestCase("transfer --sessions 1", true)]
    [TestCase("transferrer", false)]
    [TestCase("stock .NET", false)]
    public void Ours_is_the_command_with_any_options(string client, bool isOurs) =>
        Assert.That(Of(Sample.Turns(client, "FTP", "vsftpd", "up", 1, 1000, "a", 1)).Single().IsOurs, Is.EqualTo(isOurs));

    [Test]
    public void The_last_run_of_a_report_counts_and_links_are_those_of_its_run()
    {
        WanRecord[] records =
        [
            Sample.Run("latency"), Sample.Link("a", 10), .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 1, 1000, "a", 1),
            Sample.Run("small-files"), Sample.Link("a", 50), .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 1, 1000, "a", 2),
            Sample.Run("latency"), Sample.Link("a", 20), .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 1, 1000, "a", 3),
        ];
        Assert.That(ReportData.OfOne("latency", records).Results.Select(result => (result.RoundTrip, result.Seconds!.Value.Median)),
            Is.EqualTo(new[] { ((double?)20, 3.0) }));
        Assert.That(ReportData.OfAll(records).Results.Select(result => (result.RoundTrip, result.Seconds!.Value.Median)),
            Is.EqualTo(new[] { ((double?)50, 2.0), (20, 3.0) }));
        Assert.That(ReportData.OfOne("targets", records).Results, Is.Empty);
        Assert.That(ReportData.OfAll([]).Runs, Is.Empty);
    }

    private static IEnumerable<Result> Of(IEnumerable<Measured> turns) =>
        Result.Of(new Run(Sample.Run("x"), [Sample.Link("a", 100), Sample.Link("b", 200)], [.. turns], []));
}
