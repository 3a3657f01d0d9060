using Transfer.Wan.Records;

namespace Transfer.Wan.Tests.Reports;

/// <summary>Made-up records.</summary>
internal static class Sample
{
    public const int SmallFile = 10_240;

    public static RunStarted Run(string report, bool quick = false) => new()
    {
        Report = report,
        Quick = quick,
        Command = $"./build.sh wan {report}{(quick ? " --quick" : string.Empty)}",
        Started = new DateTimeOffset(2026, 11, 21, 12, 30, 0, TimeSpan.Zero),
        Commit = "0123abc",
        Machine = "2 x Example CPU, 8 GiB",
        Kernel = "6.1.0",
        CongestionControl = "cubic",
        Versions = new Dictionary<string, string> { ["vsftpd"] = "3.0.3", ["OpenSSH"] = "9.2p1" },
    };

    public static LinkChecked Link(string name, double roundTrip, double rate = 100, double loss = 0, double jitter = 0,
        string means = "tun")
    {
        var asked = new LinkShape { RoundTrip = roundTrip, Rate = rate, Loss = loss, Jitter = jitter };
        return new LinkChecked { Link = name, Means = means, Asked = asked, Given = asked with { RoundTrip = roundTrip * 1.01 } };
    }

    /// <summary>One turn for each time, in rounds from 1.</summary>
    public static IEnumerable<Measured> Turns(string client, string protocol, string server, string direction, int files, long fileSize,
        string link, params double[] seconds) =>
        seconds.Select((time, index) => new Measured
        {
            Scenario = $"{files}x{fileSize}-{direction}-{protocol}-{server}-{link}".ToLowerInvariant(),
            Link = link,
            Client = client,
            Server = server,
            Protocol = protocol,
            Direction = direction,
            Files = files,
            Bytes = files * fileSize,
            Round = index + 1,
            Seconds = time,
            ProcessorSeconds = time / 4,
        });

    public static IEnumerable<Measured> Failing(this IEnumerable<Measured> turns, string error) =>
        turns.Select(turn => turn with { Seconds = null, Error = error });
}
