using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Scenarios.Catalog;
using Transfer.Wan.Servers;
using static Transfer.Wan.Reports.Targets.Judge;

namespace Transfer.Wan.Reports.Targets;

/// <summary>The targets of operations on a tree: see <see cref="Trees"/>.</summary>
internal static class TreeTargets
{
    private const string Section = "Trees at 100 ms: 10,000 files in 400 folders";
    private const double FirstLine = 1.2;

    private static readonly string[] FtpServers = [ServerNames.Proftpd, ServerNames.Vsftpd, ServerNames.PureFtpd];

    public static IEnumerable<Target> All =>
    [
        .. Of(TreeWork.Sync, sftp: 2.8, ftp: 3.0),
        new(Section, $"{Name(TreeWork.Sync)}, SFTP, beside rsync", "faster than `rsync`", TimesFaster(
            result => result.Client == Usual[0] && IsOf(result, TreeWork.Sync, "SFTP"),
            result => result.Client == "rsync over ssh" && IsOf(result, TreeWork.Sync, "SFTP"),
            1, _ => "not measured in this run")),
        .. Of(TreeWork.List, sftp: 2.8, ftp: 2.2),
        First("SFTP", ServerNames.OpenSsh),
        .. FtpServers.Select(server => First("FTP", server)),
        .. Of(TreeWork.Delete, sftp: 4.0, ftp: 3.0),
        .. Of(TreeWork.Modes, sftp: 4.0, ftp: 3.0),
    ];

    private static IEnumerable<Target> Of(TreeWork work, double sftp, double ftp) =>
    [
        Of(work, "SFTP", ServerNames.OpenSsh, sftp),
        .. FtpServers.Select(server => Of(work, "FTP", server, ftp)),
    ];

    private static Target Of(TreeWork work, string protocol, string server, double limit) =>
        new(Section, $"{Name(work)}, {protocol}, {server}", Format.Text($"{limit} s"), Seconds(SelectionOf(work, protocol, server), limit));

    private static Target First(string protocol, string server) =>
        new(Section, $"the first line of the list, {protocol}, {server}", Format.Text($"{FirstLine} s"),
            FirstOutput(SelectionOf(TreeWork.List, protocol, server), FirstLine));

    private static string Name(TreeWork work) => work.Title();

    private static bool IsOf(Result result, TreeWork work, string protocol) =>
        result.Files == Trees.Files && result.Direction == work.Word() && result.Protocol == protocol;

    private static Selection SelectionOf(TreeWork work, string protocol, string server) => new()
    {
        Protocol = protocol,
        Server = server,
        Direction = work.Word(),
        Files = Trees.Files,
        FileSize = 1024,
        RoundTrip = 100,
        Rate = 100,
    };
}
