using Transfer.Wan.Records;
using Transfer.Wan.Reports;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Targets;

namespace Transfer.Wan.Tests.Reports;

internal sealed class TargetTests
{
    private const int Large = 80 * 1024 * 1024;

    [Test]
    public void Every_target_has_a_row_of_its_own() =>
        Assert.That(TargetTable.All.Select(target => (target.Section, target.Work)), Is.Unique);

    [Test]
    public void Without_measurements_nothing_is_met()
    {
        Assert.That(TargetTable.All.Select(target => target.Judge(ReportData.Empty).Verdict), Is.All.EqualTo(Verdict.NotMeasured));
        Assert.That(TargetTable.All.Select(target => target.Judge(ReportData.Empty).Ours), Is.All.StartsWith("not measured in this run"));
    }

    [TestCase(2.2, Verdict.Met)]
    [TestCase(2.21, Verdict.NotMet)]
    public void A_time_is_met_up_to_its_limit(double seconds, object verdict)
    {
        var outcome = Judge("200 files of 10 KB up, SFTP, OpenSSH, 100 ms, 100 Mbit/s",
            [Sample.Link("a", 100), .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", seconds),
            .. Sample.Turns("tar over ssh", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 2.35)]);
        Assert.That((outcome.Verdict, outcome.Peer), Is.EqualTo(((Verdict)verdict, "`tar over ssh` 2.35 s")));
    }

    [TestCase(2.2, Verdict.Met)]
    [TestCase(2.3, Verdict.NotMet)]
    public void The_commands_own_choice_is_compared_with_the_best_number_of_sessions(double seconds, object verdict)
    {
        var outcome = Judge("200 files of 10 KB up, SFTP, OpenSSH, 100 ms, 100 Mbit/s, password: sessions by default",
            [Sample.Link("a", 100),
            .. Sample.Turns("transfer by password", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", seconds),
            .. Sample.Turns("transfer by password --sessions 1", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 2.5),
            .. Sample.Turns("transfer by password --sessions 2", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 2),
            .. Sample.Turns("transfer --sessions 4", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 1)]);
        Assert.That((outcome.Verdict, outcome.Peer), Is.EqualTo(((Verdict)verdict, "`transfer by password --sessions 2` 2.00 s")));
    }

    [TestCase(149_000_000, Verdict.Met)]
    [TestCase(151_000_000, Verdict.NotMet)]
    public void A_walk_has_a_limit_of_memory(long peak, object verdict) => Assert.That(
        Judge("list 1,000,000 files in 10,000 folders, FTP, vsftpd, loopback: memory",
            [.. Sample.Turns("transfer", "FTP", "vsftpd", "ls", 1_000_000, 0, "loopback", 9).Select(
                turn => turn with { PeakBytes = peak })]).Verdict,
        Is.EqualTo((Verdict)verdict));

    [Test]
    public void A_client_that_failed_has_not_met_its_target() => Assert.That(
        Judge("200 files of 10 KB up, SFTP, OpenSSH, 100 ms, 100 Mbit/s",
            [Sample.Link("a", 100), .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 1).Failing("no")]),
        Is.EqualTo(new Outcome(Verdict.NotMet, "`transfer` failed in every round")));

    [TestCase(99, 100, 0)]
    [TestCase(50, 100, 0)]
    [TestCase(100, 50, 0)]
    [TestCase(100, 100, 0.002)]
    public void Another_link_is_another_work(double roundTrip, double rate, double loss) => Assert.That(
        Judge("200 files of 10 KB up, SFTP, OpenSSH, 100 ms, 100 Mbit/s",
            [Sample.Link("a", roundTrip, rate, loss),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 1)]).Verdict,
        Is.EqualTo(roundTrip == 99 ? Verdict.Met : Verdict.NotMeasured));

    [Test]
    public void Round_trips_count_by_the_link_as_it_was_and_for_one_session_only()
    {
        const string Work = "200 files of 10 KB up, FTP, ProFTPD, 100 ms, 100 Mbit/s, 1 session";
        Assert.That(
            Judge(Work,
                [Sample.Link("a", 100), .. Sample.Turns("transfer", "FTP", "ProFTPD", "up", 200, Sample.SmallFile, "a", 4)]).Verdict,
                Is.EqualTo(Verdict.NotMeasured));
        var outcome = Judge(Work,
            [Sample.Link("a", 100), .. Sample.Turns("transfer --sessions 1", "FTP", "ProFTPD", "up", 200, Sample.SmallFile, "a", 48.4)]);
        Assert.That((outcome.Verdict, outcome.Ours),
            Is.EqualTo((Verdict.Met, "2.40 round trips a file (48.4 s by `transfer --sessions 1`)")));
    }

    [TestCase(2.0, Verdict.Met)]
    [TestCase(2.8, Verdict.NotMeasured)]
    public void A_part_of_the_files_can_show_that_a_target_is_met_but_not_that_it_is_missed(double roundTrips, object verdict)
    {
        var turns = Sample.Turns("transfer --sessions 1", "FTP", "ProFTPD", "up", 200, Sample.SmallFile, "a",
            roundTrips * 20 * 0.101).Select(turn => turn with { FilesMoved = 20 });
        Assert.That(Judge("200 files of 10 KB up, FTP, ProFTPD, 100 ms, 100 Mbit/s, 1 session", [Sample.Link("a", 100), .. turns]).Verdict,
            Is.EqualTo((Verdict)verdict));
    }

    [Test]
    public void What_was_left_out_says_why()
    {
        WanRecord[] records =
        [
            Sample.Run("targets"),
            new LeftOut { Scenario = "200x10KB-up-ftps-vsftpd-100ms-100M", Client = "transfer --sessions 16",
                Why = "vsftpd is not installed" },
            new LeftOut { Scenario = "10000x10KB-up-sftp-openssh-100ms-1000M", Client = "transfer send", Why = "only root can start it" },
        ];
        Assert.That(Judge("200 files of 10 KB up, FTPS, vsftpd, 100 ms, 100 Mbit/s, 16 sessions", records),
            Is.EqualTo(Outcome.Missing("vsftpd is not installed")));
        Assert.That(Judge("10,000 files of 10 KB up, batch mode, 100 ms, 1 Gbit/s", records),
            Is.EqualTo(Outcome.Missing("only root can start it")));
    }

    [Test]
    public void A_large_file_with_loss_has_targets_of_its_own()
    {
        WanRecord[] records = [Sample.Link("a", 100, 500, 0.002), .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 1, Large, "a", 7.5),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "down", 1, Large, "a", 7.5)];
        Assert.That(Judge("1 file of 80 MiB up, SFTP, 100 ms, 500 Mbit/s, 0.2 % loss", records).Verdict, Is.EqualTo(Verdict.Met));
        Assert.That(Judge("1 file of 80 MiB down, SFTP, 100 ms, 500 Mbit/s, 0.2 % loss", records).Verdict, Is.EqualTo(Verdict.NotMet));
        Assert.That(Judge("1 file of 80 MiB down, SFTP, 100 ms, 500 Mbit/s", records).Verdict, Is.EqualTo(Verdict.NotMeasured));
    }

    [Test]
    public void A_peer_of_the_same_work_is_what_a_ratio_is_against()
    {
        const string Work = "4, host to host: 100,000 files against rsync over ssh";
        WanRecord[] records =
        [
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 100_000, 1000, "a", 20),
            .. Sample.Turns("transfer --sessions 1", "SFTP", "OpenSSH", "up", 100_000, 1000, "a", 60),
            .. Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "up", 100_000, 1000, "a", 40),
            .. Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "up", 1000, 1000, "a", 1),
        ];
        Assert.That(Judge(Work, records),
            Is.EqualTo(new Outcome(Verdict.Met, "2.00x as fast (20.0 s by `transfer`)", "`rsync over ssh` 40.0 s")));
        Assert.That(Judge(Work, [.. records, .. Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "down", 100_000, 1000, "a", 30)]).Verdict,
            Is.EqualTo(Verdict.Met));
        Assert.That(
            Judge(Work,
                [.. records, .. Sample.Turns("transfer", "SFTP", "OpenSSH", "down", 100_000, 1000, "a", 20),
                .. Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "down", 100_000, 1000, "a", 30)]).Verdict,
            Is.EqualTo(Verdict.NotMet));
    }

    [TestCase(1.15, Verdict.Met)]
    [TestCase(1.2, Verdict.NotMet)]
    public void Files_by_name_are_judged_by_their_folder_of_the_same_run(double seconds, object verdict)
    {
        const string Work = "200 named files of 10 KB up, SFTP, OpenSSH, 100 ms, 100 Mbit/s";
        WanRecord[] named = [Sample.Link("a", 100),
            .. Sample.Turns("transfer put FILE...", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", seconds)];
        Assert.That(Judge(Work, named).Verdict, Is.EqualTo(Verdict.NotMeasured));
        var outcome = Judge(Work, [.. named, .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 1)]);
        Assert.That((outcome.Verdict, outcome.Peer), Is.EqualTo(((Verdict)verdict, "`transfer` 1.00 s")));
    }

    [Test]
    public void The_first_line_of_a_list_is_judged_by_itself()
    {
        WanRecord[] records = [Sample.Link("a", 100),
            .. Sample.Turns("transfer", "FTP", "vsftpd", "ls", 10_000, 1024, "a", 3).Select(turn => turn with { FirstSeconds = 1.1 })];
        Assert.That(Judge("the first line of the list, FTP, vsftpd", records),
            Is.EqualTo(new Outcome(Verdict.Met, "1.10 s (3.00 s by `transfer` for all)")));
        Assert.That(Judge("list all, FTP, vsftpd", records).Verdict, Is.EqualTo(Verdict.NotMet));
    }

    [TestCase(1.8, Verdict.Met)]
    [TestCase(1.9, Verdict.NotMet)]
    public void Processor_time_is_judged_by_a_peer_of_the_same_run(double seconds, object verdict)
    {
        const string Work = "1 GiB down, FTPS, one stream, loopback: processor time";
        WanRecord[] records = [
            .. Sample.Turns("transfer --segments 1", "FTPS", "vsftpd", "down", 1, 1 << 30, "loopback", 1)
                .Select(turn => turn with { ProcessorSeconds = seconds }),
            .. Sample.Turns("curl", "FTPS", "vsftpd", "down", 1, 1 << 30, "loopback", 3)
                .Select(turn => turn with { ProcessorSeconds = 1.8 })];
        Assert.That((Judge(Work, records).Verdict, Judge(Work, records).Peer), Is.EqualTo(((Verdict)verdict, "`curl` 1.80 s")));
    }

    [Test]
    public void Host_to_host_is_judged_by_files_in_the_page_cache_and_the_others_are_told_of()
    {
        const string Work = "4, host to host: 100,000 files against rsync over ssh";
        IEnumerable<Measured> Both(double ours) =>
            [.. Sample.Turns("transfer send", "SFTP", "OpenSSH", "up", 100_000, 1000, "a", ours),
            .. Sample.Turns("rsync over ssh", "SFTP", "OpenSSH", "up", 100_000, 1000, "a", 40)];
        WanRecord[] cold = [.. Both(30).Select(measured => measured with { Scenario = measured.Scenario + "-cold" })];
        Assert.That(Judge(Work, [.. Both(20), .. cold]), Is.EqualTo(new Outcome(
            Verdict.Met, "2.00x as fast (20.0 s by `transfer send`); cold page cache: 1.33x as fast (30.0 s by `transfer send`)",
            "`rsync over ssh` 40.0 s; `rsync over ssh` 40.0 s")));
        Assert.That(Judge(Work, [.. Both(21), .. cold]).Verdict, Is.EqualTo(Verdict.NotMet));
        Assert.That(Judge(Work, cold).Verdict, Is.EqualTo(Verdict.NotMeasured));
    }

    [Test]
    public void Curves_over_latency_need_all_round_trips_to_be_met()
    {
        const string Work = "2, throughput against latency, 0.5 to 300 ms, down";
        double[] trips = [0.5, 2, 10, 25, 50, 100, 200, 300];
        IEnumerable<WanRecord> Records(int count, double worst) =>
            [Sample.Run("latency"), .. trips.Take(count).SelectMany((trip, index) => (WanRecord[])
        [
            Sample.Link($"l{trip}", trip, 500, 0.002, trip / 10),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "down", 1, Large, $"l{trip}", index == 1 ? worst : 1),
            .. Sample.Turns("scp", "SFTP", "OpenSSH", "down", 1, Large, $"l{trip}", 2),
        ])];

        Assert.That(Judge(Work, [.. Records(8, 1)]), Is.EqualTo(new Outcome(Verdict.Met, "above at 8 of 8 round trips")));
        Assert.That(Judge(Work, [.. Records(8, 2)]),
            Is.EqualTo(new Outcome(Verdict.NotMet, "above at 7 of 8 round trips, not at 2 ms (`scp`)")));
        Assert.That(Judge(Work, [.. Records(3, 1)]),
            Is.EqualTo(new Outcome(Verdict.NotMeasured, "above at 3 of 3 round trips; the target has 8")));
    }

    [Test]
    public void One_stream_is_judged_by_the_worst_cipher_and_by_GCM_alone()
    {
        WanRecord[] records =
        [
            .. Sample.Turns("transfer --sessions 1 --ciphers aes128-gcm", "SFTP", "OpenSSH", "down", 1, 1 << 28, "loopback", 1),
            .. Sample.Turns("sftp -c aes128-gcm", "SFTP", "OpenSSH", "down", 1, 1 << 28, "loopback", 1.5),
            .. Sample.Turns("transfer --sessions 1 --ciphers aes128-ctr", "SFTP", "OpenSSH", "down", 1, 1 << 28, "loopback", 4),
            .. Sample.Turns("sftp -c aes128-ctr", "SFTP", "OpenSSH", "down", 1, 1 << 28, "loopback", 2),
            .. Sample.Turns("transfer --sessions 2 --ciphers aes128-gcm", "SFTP", "OpenSSH", "down", 2, 1 << 28, "loopback", 1.5),
        ];
        Assert.That(Judge("one stream down over loopback, SFTP, AES-GCM", records).Verdict, Is.EqualTo(Verdict.Met));
        Assert.That(Judge("3, SFTP throughput: one stream down, any cipher", records).Verdict, Is.EqualTo(Verdict.NotMet));
        Assert.That(Judge("3, SFTP throughput: more streams, down", records),
            Is.EqualTo(new Outcome(Verdict.Met, "1.33x with 2 streams, transfer, aes128-gcm")));
    }

    [Test]
    public void The_fixed_upload_is_judged_by_the_file()
    {
        const string All = "stock .NET --no-reverse-lookup --send-buffer 1048576 --overlap-commands --keep-session";
        WanRecord[] records =
        [
            Sample.Link("a", 80), .. Sample.Turns("stock .NET", "FTP", "vsftpd", "up", 4, 500_000, "a", 32),
            .. Sample.Turns(All, "FTP", "vsftpd", "up", 4, 500_000, "a", 3.6),
            .. Sample.Turns("transfer", "FTP", "vsftpd", "up", 4, 500_000, "a", 4),
        ];
        Assert.That(Judge("5, the .NET FTP fix: 500 KB up at 80 ms, every fault mended", records),
            Is.EqualTo(new Outcome(Verdict.Met, $"0.90 s a file, start and log-in included, by `{All}`", "`stock .NET` 8.00 s a file")));
        Assert.That(Judge("5, the .NET FTP fix: the same by `transfer`", records).Verdict, Is.EqualTo(Verdict.NotMet));
    }

    [Test]
    public void Archives_are_judged_against_stock_clients_of_the_same_protocol()
    {
        const string Ftps = "1, archive batching: 10,000 files up by archives against FTPS file by file, as a stock client does it";
        WanRecord[] records =
        [
            Sample.Run("batch"), Sample.Link("a", 100),
            .. Sample.Turns("transfer send", "SFTP", "OpenSSH", "up", 10_000, Sample.SmallFile, "a", 10),
            .. Sample.Turns("transfer send --to 1 there", "FTPS", "vsftpd", "up", 10_000, Sample.SmallFile, "a", 20),
            .. Sample.Turns("lftp", "FTPS", "vsftpd", "up", 10_000, Sample.SmallFile, "a", 4).Select(turn => turn with { FilesMoved = 50 }),
            .. Sample.Turns("lftp parallel 8", "FTPS", "vsftpd", "up", 10_000, Sample.SmallFile, "a", 30),
            .. Sample.Turns("scp", "SFTP", "OpenSSH", "up", 10_000, Sample.SmallFile, "a", 90),
            .. Sample.Turns("sftp", "SFTP", "OpenSSH", "up", 10_000, Sample.SmallFile, "a", 900),
        ];
        Assert.That(Judge(Ftps, records),
            Is.EqualTo(new Outcome(Verdict.Met, "40.0x as fast (20.0 s by `transfer send --to 1 there`)", "`lftp` 13 min 20 s \\*")));
        Assert.That(Judge("1, archive batching: the same against SFTP", records),
            Is.EqualTo(new Outcome(Verdict.NotMet, "9.00x as fast (10.0 s by `transfer send`)", "`scp` 90.0 s")));
    }

    [Test]
    public void Batch_mode_down_is_by_a_receiver_here_or_else_by_the_hosts_tar()
    {
        const string Work = "10,000 files of 10 KB down, batch mode, 100 ms, 100 Mbit/s";
        WanRecord[] tar = [Sample.Run("batch"), Sample.Link("a", 100),
            .. Sample.Turns("transfer --batch on", "SFTP", "OpenSSH", "down", 10_000, Sample.SmallFile, "a", 15)];
        Assert.That(Judge(Work, tar).Verdict, Is.EqualTo(Verdict.NotMet));
        Assert.That(
            Judge(Work, [.. tar, .. Sample.Turns("transfer receive", "SFTP", "OpenSSH", "down", 10_000, Sample.SmallFile, "a", 10.4)]),
            Is.EqualTo(new Outcome(Verdict.Met, "10.4 s by `transfer receive`")));
    }

    [Test]
    public void The_newest_run_of_all_files_counts_with_its_own_peers()
    {
        const string Work = "200 files of 10 KB up, SFTP, OpenSSH, 100 ms, 100 Mbit/s";
        WanRecord[] Run(string report, int hour, double ours, double peer, int? moved = null) =>
        [
            Sample.Run(report) with { Started = Sample.Run(report).Started.AddHours(hour) }, Sample.Link("a", 100),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", ours).Select(
                turn => turn with { FilesMoved = moved }),
                .. Sample.Turns("scp", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", peer),
        ];
        Assert.That(Judge(Work, [.. Run("small-files", 2, 2, 80), .. Run("targets", 1, 3, 70)]),
            Is.EqualTo(new Outcome(Verdict.Met, "2.00 s by `transfer`", "`scp` 80.0 s")));
        Assert.That(Judge(Work, [.. Run("small-files", 2, 1, 80, moved: 20), .. Run("targets", 1, 2, 70)]),
            Is.EqualTo(new Outcome(Verdict.Met, "2.00 s by `transfer`", "`scp` 70.0 s")));
    }

    [Test]
    public void The_page_counts_what_is_met()
    {
        var page = ReportWriter.Compose("targets",
            [Sample.Run("targets"), Sample.Link("a", 100),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "up", 200, Sample.SmallFile, "a", 2),
            .. Sample.Turns("transfer", "SFTP", "OpenSSH", "down", 200, Sample.SmallFile, "a", 3)])["targets.md"];
        Assert.That(page, Does.Contain($"{TargetTable.All.Count} rows: 1 met, 1 not met, {TargetTable.All.Count - 2} not measured."));
        Assert.That(page,
            Does.Match(
                @"\| 200 files of 10 KB down, SFTP, OpenSSH, 100 ms, 100 Mbit/s +\| 2\.2 s +\| 3\.00 s by `transfer` +\| – +\| \*\*not met\*\* +\|"));
    }

    private static Outcome Judge(string work, WanRecord[] records) =>
        TargetTable.All.Single(target => target.Work == work).Judge(ReportData.OfAll(records));
}
