using Transfer.Wan.Clients;
using Transfer.Wan.Reports;
using Transfer.Wan.Runs;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Scenarios.Catalog;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>The scenarios of all reports make sense.</summary>
public sealed class CatalogTests
{
    // Names, because the reports' type is not public.
    private static IEnumerable<string> Reports => AllReports.All.Select(report => report.Name);

    private static WanReport Report(string name) => AllReports.Find(name) ?? throw new ArgumentException(name, nameof(name));

    private static IEnumerable<Scenario> Everything(WanReport report) => report.Full.Concat(report.Quick);

    [Test]
    public void Every_report_that_is_measured_can_be_written() =>
        Assert.That(Reports, Is.EquivalentTo(ReportWriter.Definitions.Select(definition => definition.Name)));

    [TestCaseSource(nameof(Reports))]
    public void Names_are_unique_within_a_run(string name)
    {
        var report = Report(name);
        Assert.That(report.Full.Select(scenario => scenario.Name), Is.Unique);
        Assert.That(report.Quick.Select(scenario => scenario.Name), Is.Unique);
    }

    [TestCaseSource(nameof(Reports))]
    public void A_quick_run_has_scenarios_each_client_once(string name)
    {
        var report = Report(name);
        Assert.That(report.Quick, Is.Not.Empty);
        Assert.That(report.Quick.Select(scenario => scenario.Rounds), Is.All.EqualTo(1));
        Assert.That(report.Full, Is.Not.Empty);
    }

    [TestCaseSource(nameof(Reports))]
    public void Every_client_is_known_and_speaks_the_protocol(string name)
    {
        var report = Report(name);
        foreach (var scenario in Everything(report))
        {
            Assert.That(scenario.Clients, Is.Not.Empty, scenario.Name);
            Assert.That(scenario.Clients.Select(turn => turn.Client), Is.Unique, scenario.Name);
            foreach (var turn in scenario.Clients)
            {
                Assert.That(ClientCatalog.Find(turn.Client).Protocols, Does.Contain(scenario.Protocol), $"{scenario.Name}: {turn.Client}");
                Assert.That(turn.Files ?? 1, Is.InRange(1, scenario.Files), $"{scenario.Name}: {turn.Client}");
            }
        }
    }

    [TestCaseSource(nameof(Reports))]
    public void Every_client_has_a_command_line_for_its_part(string name)
    {
        var report = Report(name);
        foreach (var scenario in Everything(report))
        {
            foreach (var turn in scenario.Clients.Where(
                turn => ClientCatalog.Find(turn.Client) is TransferClientCommand or TransferSpoolClient or TransferReceiveClient
                    or StockClient))
            {
                var command =
                    ClientCatalog.Find(turn.Client).Command(Jobs.Of(scenario.Protocol, scenario.IsUpload, Math.Min(scenario.Files, 3)));
                Assert.That(command.Arguments, Is.Not.Empty, $"{scenario.Name}: {turn.Client}");
            }
        }
    }

    [TestCaseSource(nameof(Reports))]
    public void Every_client_knows_the_operation_on_a_tree(string name)
    {
        foreach (var scenario in Everything(Report(name)).Where(scenario => scenario.Tree is not null))
        {
            foreach (var turn in scenario.Clients)
            {
                Assert.That(ClientCatalog.Find(turn.Client).Does(scenario.Tree!.Value), $"{scenario.Name}: {turn.Client}");
                Assert.That(turn.Files, Is.Null, $"{scenario.Name}: {turn.Client}");
            }
        }
    }

    [TestCase(TreeWork.List, "ls -R sftp://tester@10.77.0.2:2121/served/in/")]
    [TestCase(TreeWork.Sync, "sync /data/near files sftp://tester@10.77.0.2:2121/served/in/")]
    [TestCase(TreeWork.Delete, "rm -r sftp://tester@10.77.0.2:2121/served/in")]
    [TestCase(TreeWork.Modes, "chmod -R 750 sftp://tester@10.77.0.2:2121/served/in")]
    public void Operations_on_a_tree_are_verbs_of_the_command(object work, string words)
    {
        var job = Jobs.Of(Protocol.SFTP, isUpload: true, files: 2) with { Tree = (TreeWork)work };
        Assert.That(string.Join(' ', ClientCatalog.Find("transfer").Command(job).Arguments), Does.StartWith(words));
        if (ClientCatalog.Find("rclone 8").Does((TreeWork)work))
            Assert.That(ClientCatalog.Find("lftp parallel 8").Command(job).Arguments[^1], Does.Contain("/served/in"));
    }

    [Test]
    public void A_log_in_by_password_offers_no_key()
    {
        var job = Jobs.Of(Protocol.SFTP, isUpload: true, files: 2);
        var (key, password) = (ClientCatalog.Find("transfer --sessions 2").Command(job),
            ClientCatalog.Find("transfer by password --sessions 2").Command(job));
        Assert.That(password.Arguments, Is.EqualTo(key.Arguments.Where((_, i) => !IsIdentity(i) && (i == 0 || !IsIdentity(i - 1)))));
        Assert.That(key.Arguments, Does.Contain("--identity"));
        Assert.That(password.Environment, Contains.Key("TRANSFER_PASSWORD"));

        bool IsIdentity(int at) => key.Arguments[at] == "--identity";
    }

    [Test]
    public void A_tree_has_its_folders_in_two_levels()
    {
        var folders = DataSets.Names(Trees.Files, Trees.Folders).CountBy(name => Path.GetDirectoryName(name)!).ToDictionary();
        Assert.That(folders, Has.Count.EqualTo(Trees.Folders));
        Assert.That(folders.Values, Is.All.EqualTo(Trees.Files / Trees.Folders));
        Assert.That(folders.Keys.Count(folder => folder.Contains('/')), Is.EqualTo(380));
    }

    [TestCaseSource(nameof(Reports))]
    public void Servers_are_those_of_the_protocol(string name)
    {
        var report = Report(name);
        foreach (var scenario in Everything(report))
        {
            string[] servers = scenario.Protocol switch
            {
                Protocol.SFTP => [ServerNames.OpenSsh, ServerNames.OpenSshWithTransfer],
                Protocol.HTTP => [ServerNames.Lighttpd],
                _ => [ServerNames.Vsftpd, ServerNames.Proftpd, ServerNames.PureFtpd],
            };
            Assert.That(servers, Does.Contain(scenario.Server), scenario.Name);
        }
    }

    [Test]
    public void Nothing_is_measured_for_the_targets_that_another_report_has_of_all_files()
    {
        var elsewhere = AllReports.All.Where(report => report != Targets.Report && report.Name != "sessions")
            .SelectMany(report => report.Full).SelectMany(
                scenario => scenario.Clients.Where(turn => turn.Files is null).Select(turn => (scenario.Name, turn.Client))).ToList();
        var alone = Targets.Report.Full.Where(
            scenario => !scenario.Clients.Any(turn => turn.Client.StartsWith("transfer put FILE...", StringComparison.Ordinal)));
        var own = alone.SelectMany(
            scenario =>
            scenario.Clients.Where(turn => turn.Client.StartsWith("transfer", StringComparison.Ordinal)).Select(
                turn => (scenario.Name, turn.Client))).ToList();
        Assert.That(own.Intersect(elsewhere), Is.Empty);
        Assert.That(own, Does.Contain(("200x10KB-down-ftp-vsftpd-100ms-100M", "transfer --sessions 1")),
            "the report of small files has it of twenty files only");
        Assert.That(elsewhere,
            Does.Contain(("10000x10KB-up-sftp-openssh-100ms-100M", "transfer send")).And.Contain(
                ("100000x5.9KB-up-sftp-openssh-1ms-1000M", "transfer send")));
    }

    [Test]
    public void Files_by_name_are_measured_beside_their_folder_with_the_same_options()
    {
        var named = Targets.Report.Full.SelectMany(
            scenario =>
            scenario.Clients.Where(turn => ClientCatalog.Find(turn.Client) is TransferFilesClient).Select(
                turn => (Scenario: scenario, turn.Client))).ToList();
        Assert.That(named.Select(row => row.Scenario.Protocol).Distinct(),
            Is.EquivalentTo(new[] { Protocol.FTP, Protocol.FTPS, Protocol.SFTP }));
        foreach (var (scenario, client) in named)
        {
            Assert.That(scenario.Clients.Select(turn => turn.Client),
                Does.Contain(client.Replace(" put FILE...", string.Empty, StringComparison.Ordinal)), scenario.Name);
        }

        var command = ClientCatalog.Find("transfer put FILE... --sessions 16").Command(Jobs.Of(Protocol.FTP, isUpload: true, files: 2));
        Assert.That(command.Arguments.Take(6), Has.Member("put").And.Member("--sessions").And.Member("16").And.None.Contains("FILE"));
        Assert.That(command.Arguments.Count(argument => argument.StartsWith("/data/near files/", StringComparison.Ordinal)), Is.EqualTo(2));
    }

    [Test]
    public void A_scenario_is_named_after_what_is_moved_how()
    {
        var scenario = SmallFiles.Row(200, Protocol.FTPS, ServerNames.Proftpd, isUpload: false, "transfer");
        Assert.That(scenario.Name, Is.EqualTo("200x10KB-down-ftps-proftpd-100ms-100M"));
        Assert.That((scenario with { IsCold = true, Link = null }).Name, Is.EqualTo("200x10KB-down-ftps-proftpd-loopback-cold"));
        Assert.That(scenario.Bytes, Is.EqualTo(200 * 10_240));
    }

    [Test]
    public void Batch_mode_sends_to_a_receiver_at_the_far_end_and_keeps_its_token_out_of_sight()
    {
        var client = ClientCatalog.Find("transfer send");
        var job = Jobs.Of(Protocol.SFTP, isUpload: true, files: 3);
        Assert.That(client.FarEnd(job)!.Arguments, Is.EqualTo(new[] { "receive", "/served/in", "--listen", "10.77.0.2:0", "--quiet" }));
        var command = client.Command(job with { FarEnd = "transfer://10.77.0.2:4780#AXyz_-9" });
        Assert.That(command.Arguments, Is.EqualTo(new[] { "send", "/data/near files", "transfer://10.77.0.2:4780", "--quiet" }));
        Assert.That(command.Environment["TRANSFER_TOKEN"], Is.EqualTo("AXyz_-9"));
    }
}
