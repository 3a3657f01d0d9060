using Transfer.Ftp;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Session;
using Transfer.Pooling;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>
/// What servers do that differ from the usual, which rungs a client uses then, what is remembered, and that the next client begins there.
/// </summary>
[Category(Categories.Slow)]
public sealed class LadderRowTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(2),
        Retry = Samples.SoonAgain,
    };

    private static readonly Dictionary<string, LadderRow> Rows = new[]
    {
        LadderRows.Commands, LadderRows.DataPorts, LadderRows.Listings, LadderRows.Descriptions, LadderRows.Attributes,
        LadderRows.Transfers, LadderRows.Names, LadderRows.Renames,
    }.SelectMany(rows => rows).ToDictionary();

    public static IEnumerable<string> Servers => Rows.Keys;

    public static IEnumerable<string> KeptServers => Rows.Keys.Except(LadderRows.Renames.Keys);

    [TestCaseSource(nameof(Servers))]
    public async Task A_rung_that_a_server_does_not_have_is_left_once_for_all_clients(string name)
    {
        var row = Rows[name];
        var (start, remembered, first, second, lines) = row;
        await using var server = start();
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1, 2, 3];
        using var folder = new TempFolder();
        var left = new List<string>();
        var options = Options with
        {
            LimitsFile = folder["limits"],
            LoggerFactory = new LogEvents(["RungLeft"], text => { lock (left) left.Add(text); })
        };
        await using (var client = new FtpTransferClient(server.Uri, options)) await row.Act(client);
        AssertSent(server, 0, first);
        Assert.That(left, Has.Count.EqualTo(lines ?? Steps(remembered)), "one line a rung");
        Assert.That(State(server).ToString(), Is.EqualTo(remembered));
        Assert.That(File.Exists(folder["limits"]) ? await File.ReadAllTextAsync(folder["limits"]) : "",
            Does.Match(remembered.Length == 0 ? "^$" : $"^{LimitsFile.KeyOf(server.Uri, null)} {remembered} [0-9]+\n$"));

        var before = server.Commands.Count;
        await using (var client = new FtpTransferClient(server.Uri, options)) await row.Act(client);
        AssertSent(server, before, second);
        Assert.That(left, Has.Count.EqualTo(lines ?? Steps(remembered)));
    }

    [TestCaseSource(nameof(KeptServers))]
    public async Task What_another_process_has_found_out_is_not_found_out_again(string name)
    {
        var row = Rows[name];
        var (start, remembered, first, second, _) = row;
        await using var server = start();
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1, 2, 3];
        using var folder = new TempFolder();
        folder.Add("limits",
            System.Text.Encoding.ASCII.GetBytes(
                $"{LimitsFile.KeyOf(server.Uri, null)} {remembered} {DateTimeOffset.UtcNow.ToUnixTimeSeconds()}\n"));
        await using var client = new FtpTransferClient(server.Uri, Options with { LimitsFile = folder["limits"] });
        await row.Act(client);
        AssertSent(server, 0, second);
        Assert.That(first, Is.Not.EqualTo(second));
    }

    private static int Steps(string remembered) => remembered.Split(',').Sum(ability => ability[^1] - '0');

    private static FtpRungs State(OddServer server) => FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs;

    private static void AssertSent(OddServer server, int from, string expected) =>
        SentVerbs.AssertAre(server.Commands.Skip(from).Select(command => command.Split(' ')[0]), expected);
}
