using Transfer.Wan.Records;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>The number of sessions that a job chooses by itself, beside fixed ones.</summary>
internal static class Sessions
{
    private const double Loss = 0.002;

    // Fewer are out of the question where waiting is all that a session does.
    private static readonly int[] Near = [2, 4, 8, 16];
    private static readonly int[] Far = [4, 8, 16];

    private static readonly int[] Fixed = [1, 2, 4, 8];

    public static WanReport Report { get; } = new()
    {
        Name = "sessions",
        Full = [.. Rows([1, 20, 100, 300], 5)],
        Quick = [.. Rows([1, 100], 1).Where(row => row.Link!.Loss == 0)],
    };

    /// <summary>Labels with the numbers of sessions of which none is to be much faster than the command's own choice.</summary>
    public static IEnumerable<string> FixedNumbersOf(string client) =>
        Labels(client, Fixed);

    private static IEnumerable<Scenario> Rows(double[] roundTrips, int rounds) =>
        from roundTrip in roundTrips
        from loss in new[] { 0, Loss }
        let link = new LinkShape { RoundTrip = roundTrip, Rate = roundTrip < 10 ? 1000 : 500, Loss = loss }
        from row in new[] { Small(link), Large(link) }
        select row with { Rounds = rounds };

    private static Scenario Small(LinkShape link) => new()
    {
        Link = link,
        Files = link.RoundTrip switch { < 10 => 500, < 50 => 320, < 200 => 96, _ => 48 },
        Size = FileSize.Ki(10),
        IsUpload = true,
        Protocol = Protocol.FTP,
        Server = ServerNames.Vsftpd,
        Clients = Clients(link),
        StopAfter = TimeSpan.FromSeconds(30),
    };

    private static Scenario Large(LinkShape link) => new()
    {
        Link = link,
        Files = 1,
        Size = FileSize.Mi(link.RoundTrip < 10 ? 256 : 64),
        IsUpload = false,
        Protocol = Protocol.FTP,
        Server = ServerNames.Vsftpd,
        Clients = Clients(link),
        StopAfter = TimeSpan.FromSeconds(20),
    };

    private static ClientTurn[] Clients(LinkShape link) =>
        ["transfer", .. Labels("transfer", link.RoundTrip < 10 ? Near : Far).Select(label => new ClientTurn(label))];

    private static IEnumerable<string> Labels(string client, IEnumerable<int> numbers) =>
        numbers.Select(sessions => FormattableString.Invariant($"{client} --sessions {sessions}"));
}
