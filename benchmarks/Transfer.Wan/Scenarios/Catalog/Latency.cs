using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>Document 2: one large file against the round-trip time, with jitter and loss.</summary>
internal static class Latency
{
    private static readonly double[] All = [0.5, 2, 10, 25, 50, 100, 200, 300];
    private static readonly double[] Few = [0.5, 10, 50, 200];

    public static WanReport Report { get; } = new()
    {
        Name = "latency",
        Full = [.. All.SelectMany(roundTrip => Rows(roundTrip, FileSize.Mi(80), roundTrips: 50, rounds: 2))],
        Quick = [.. Few.SelectMany(roundTrip => Rows(roundTrip, FileSize.Mi(16), roundTrips: 15, rounds: 1))],
    };

    /// <summary>The rows of one round-trip time: both ways over SFTP, and down over HTTP, beside what moves a file that way.</summary>
    public static IEnumerable<Scenario> Rows(double roundTrip, FileSize size, int roundTrips, int rounds)
    {
        var sftp = new Scenario
        {
            Link = WanLinks.Latency(roundTrip),
            Files = 1,
            Size = size,
            IsUpload = true,
            Protocol = Protocol.SFTP,
            Server = ServerNames.OpenSsh,
            Clients = ["transfer", "scp", "rsync over ssh", "rclone 1", "SSH.NET"],
            Rounds = rounds,
            // Single streams would take minutes; what they moved by then tells their rate.
            StopAfter = TimeSpan.FromSeconds(3) + (roundTrips * TimeSpan.FromMilliseconds(roundTrip)),
        };
        yield return sftp;
        yield return sftp with { IsUpload = false, Clients = [.. sftp.Clients, "lftp pget 20"] };
        yield return sftp with { IsUpload = false, Protocol = Protocol.HTTP, Server = ServerNames.Lighttpd, Clients = ["wget", "axel 20"] };
    }
}
