using Transfer.Wan.Clients;
using Transfer.Wan.Servers;
using static Transfer.Wan.Scenarios.Catalog.SmallFiles;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>
/// What no other report measures of the targets, each with the peer that it is stated against; the rest is in the newest runs of the
/// others.
/// </summary>
internal static class Targets
{
    private const string ByPassword = TransferPasswordClient.Name;
    private const string Gcm = "aes128-gcm@openssh.com";
    private const string AllFixed = StockClient.Name + " --no-reverse-lookup --send-buffer 1048576 --overlap-commands --keep-session";

    // Its target is stated in round trips a file: of all files, because start and log-in would weigh too much on few, and once, because it
    // takes a minute.
    private static readonly ClientTurn OneSession = new("transfer --sessions 1", Rounds: 1);

    private static readonly Scenario Large = new()
    {
        Link = WanLinks.Large,
        Files = 1,
        Size = FileSize.Mi(80),
        IsUpload = true,
        Protocol = Protocol.SFTP,
        Server = ServerNames.OpenSsh,
        Clients = [],
    };

    public static WanReport Report { get; } = new()
    {
        Name = "targets",
        Full = [.. NotElsewhere([.. Small(rounds: 3), .. Many(rounds: 2), .. One(rounds: 5)])],
        Quick = [
            .. Few([.. Small(rounds: 1),
                .. One(rounds: 1).Where(scenario => scenario is { IsUpload: true } and not { Protocol: Protocol.SFTP, Link.Loss: > 0 }),
                HostToHost.Row(10_000, 1), .. Fix(files: 1, rounds: 1), .. Trees.Few()])],
    };

    private static IEnumerable<WanReport> Others =>
        [SmallFiles.Report, StartUp.Report, Trees.Report, Walks.Report, Batch.Report, Latency.Report, SftpThroughput.Report,
        HostToHost.Report, DotnetFtpFix.Report];

    /// <summary>
    /// What of ours no other report has, with its peers; where another report has a part of the files only, it has not. Files by name stand
    /// beside their folder in the same run.
    /// </summary>
    private static IEnumerable<Scenario> NotElsewhere(IEnumerable<Scenario> scenarios)
    {
        var elsewhere = Others.SelectMany(report => report.Full)
            .SelectMany(scenario => scenario.Clients.Where(turn => turn.Files is null).Select(turn => (scenario.Name, turn.Client)))
            .ToHashSet();
        foreach (var scenario in scenarios)
        {
            ClientTurn[] ours = [
                .. scenario.Clients.Where(
                    turn => IsOurs(turn) && (HasNamed(scenario) || !elsewhere.Contains((scenario.Name, turn.Client))))];
            if (ours.Length > 0) yield return scenario with { Clients = [.. ours, .. scenario.Clients.Where(turn => !IsOurs(turn))] };
        }
    }

    private static bool HasNamed(Scenario scenario) => scenario.Clients.Any(turn => ClientCatalog.Find(turn.Client) is TransferFilesClient);

    private static bool IsOurs(ClientTurn turn) => ClientCatalog.Find(turn.Client) is TransferClientCommand;

    /// <summary>Each row with us and the first peer, who is not waited for as long.</summary>
    private static IEnumerable<Scenario> Few(IEnumerable<Scenario> scenarios) => scenarios.Select(scenario => scenario with
    {
        Clients = [.. scenario.Clients.Take(2)],
        StopAfter = scenario.StopAfter is null ? null : TimeSpan.FromSeconds(6),
    });

    private static IEnumerable<ClientTurn> FixedOf(string client) => Sessions.FixedNumbersOf(client).Select(label => new ClientTurn(label));

    private static IEnumerable<Scenario> Small(int rounds) => new[]
    {
        SmallFiles.Row(200, Protocol.FTP, ServerNames.Vsftpd, true, Sixteen, new("lftp parallel 8", 40, 1), OneSession, NamedSixteen),
        SmallFiles.Row(200, Protocol.FTPS, ServerNames.Proftpd, true, Sixteen, NamedSixteen),
        SmallFiles.Row(200, Protocol.FTPS, ServerNames.Vsftpd, true, Sixteen, NamedSixteen),
        SmallFiles.Row(200, Protocol.SFTP, ServerNames.OpenSsh, true,
            ["transfer", "tar over ssh", "rsync over ssh", Named, .. FixedOf("transfer"), ByPassword, .. FixedOf(ByPassword)]),
    }.Select(scenario => scenario with { Rounds = rounds });

    private static IEnumerable<Scenario> Many(int rounds) => new[]
    {
        SmallFiles.Row(1000, Protocol.FTP, ServerNames.Proftpd, true, Sixteen, "transfer"),
        SmallFiles.Row(1000, Protocol.FTP, ServerNames.PureFtpd, true, Sixteen),
        SmallFiles.Row(1000, Protocol.FTP, ServerNames.Vsftpd, true, Sixteen, "transfer"),
        SmallFiles.Row(10_000, Protocol.FTP, ServerNames.Vsftpd, true, "transfer", "lftp parallel 16") with { Link = null },
        SmallFiles.Row(200, Protocol.FTP, ServerNames.Proftpd, true, Sixteen, OneSession, NamedSixteen),
        SmallFiles.Row(200, Protocol.FTP, ServerNames.PureFtpd, true, Sixteen, OneSession, NamedSixteen),
        SmallFiles.Row(1000, Protocol.FTP, ServerNames.Proftpd, false, Sixteen),
        SmallFiles.Row(1000, Protocol.FTP, ServerNames.PureFtpd, false, Sixteen),
        SmallFiles.Row(1000, Protocol.FTP, ServerNames.Vsftpd, false, Sixteen),
        SmallFiles.Row(200, Protocol.FTP, ServerNames.Proftpd, false, Sixteen, OneSession),
        SmallFiles.Row(200, Protocol.FTP, ServerNames.PureFtpd, false, Sixteen, OneSession),
        SmallFiles.Row(200, Protocol.FTP, ServerNames.Vsftpd, false, Sixteen, OneSession),
        SmallFiles.Row(200, Protocol.FTPS, ServerNames.Proftpd, false, Sixteen),
        SmallFiles.Row(200, Protocol.FTPS, ServerNames.Vsftpd, false, Sixteen),
        SmallFiles.Row(200, Protocol.SFTP, ServerNames.OpenSsh, false, "transfer", "rsync over ssh"),
    }.Select(scenario => scenario with { Rounds = rounds });

    // A turn takes a second or a few, and one slow disk or processor in it decides the median of two. Where packets are lost a turn is
    // long.
    private static IEnumerable<Scenario> One(int rounds)
    {
        var ftp = Large with { Protocol = Protocol.FTP, Server = ServerNames.Vsftpd };
        return new[]
        {
            Large with { Clients = ["transfer", ByPassword, "scp"] },
            Large with { IsUpload = false, Clients = ["transfer", ByPassword, "scp"] },
            ftp with { Clients = ["transfer", "lftp", "curl"] },
            ftp with { IsUpload = false, Clients = ["transfer", "lftp", "curl"] },
            ftp with { Link = WanLinks.LargeLossy, StopAfter = TimeSpan.FromSeconds(12), Clients = ["transfer", "curl"] },
            ftp with { Link = WanLinks.LargeLossy, StopAfter = TimeSpan.FromSeconds(20), IsUpload = false,
                Clients = ["transfer", "lftp pget 20"] },
            Large with { Link = WanLinks.LargeLossy, StopAfter = TimeSpan.FromSeconds(20), Clients = ["transfer", "scp"] },
            Large with { Link = WanLinks.LargeLossy, StopAfter = TimeSpan.FromSeconds(20), IsUpload = false,
                Clients = ["transfer", "scp"] },
            // So large that it is the stream that is measured: a runtime's start is as long as 80 MiB over loopback.
            ftp with { Link = null, Size = FileSize.Mi(512), Clients = ["transfer --segments 1", "curl"] },
            ftp with { Link = null, Size = FileSize.Mi(512), IsUpload = false, Clients = ["transfer --segments 1", "curl"] },
            ftp with { Link = null, Size = FileSize.Mi(1024), IsUpload = false, Protocol = Protocol.FTPS,
                Clients = ["transfer --segments 1", "curl"] },
            SftpThroughput.Row(1, isUpload: true, FileSize.Mi(256), rounds, Gcm),
            SftpThroughput.Row(1, isUpload: false, FileSize.Mi(256), rounds, Gcm),
        }.Select(scenario => scenario with { Rounds = scenario.Link is { Loss: > 0 } ? Math.Min(rounds, 3) : rounds });
    }

    private static IEnumerable<Scenario> Fix(int files, int rounds) =>
        [DotnetFtpFix.Row(files, rounds) with { Clients = [StockClient.Name, AllFixed, "transfer"] }];
}
