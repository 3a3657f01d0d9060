using Transfer.Wan.Reports.Text;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Scenarios.Catalog;
using Transfer.Wan.Servers;
using static Transfer.Wan.Reports.Targets.Judge;

namespace Transfer.Wan.Reports.Targets;

/// <summary>The targets of work on very many files that is bounded by memory: see <see cref="Walks"/>.</summary>
internal static class WalkTargets
{
    private const string Section = "A million files, and memory";
    private const double WalkMemory = 150e6;
    private const double SmallFileMemory = 100e6;

    public static IEnumerable<Target> All =>
    [
        .. Of("SFTP", ServerNames.OpenSsh, 7),
        .. Of("FTP", ServerNames.Proftpd, 12),
        .. Of("FTP", ServerNames.Vsftpd, 12),
        .. Of("FTP", ServerNames.PureFtpd, 12),
        new(Section, TenThousand.Work, "less than " + Format.Megabytes(SmallFileMemory), Memory(TenThousand, SmallFileMemory)),
    ];

    private static Selection TenThousand => Selection.Of10KB("SFTP", ServerNames.OpenSsh, "up", 10_000);

    private static IEnumerable<Target> Of(string protocol, string server, double limit)
    {
        var selection = new Selection
        {
            Protocol = protocol,
            Server = server,
            Direction = TreeWork.List.Word(),
            Files = Walks.Files,
            FileSize = 0,
        };
        var work = Format.Text($"list {Walks.Files:#,0} files in {Walks.Folders:#,0} folders, {protocol}, {server}, loopback");
        yield return new(Section, work, Format.Text($"{limit} s"), Seconds(selection, limit));
        yield return new(Section, work + ": memory", "less than " + Format.Megabytes(WalkMemory), Memory(selection, WalkMemory));
    }
}
