using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Targets;

/// <summary>Which results a target is about: by the work and the link, never by a scenario's name.</summary>
internal sealed record Selection
{
    public required string Protocol { get; init; }

    /// <summary>Null: any.</summary>
    public string? Server { get; init; }

    public required string Direction { get; init; }

    public required int Files { get; init; }

    /// <summary>Bytes of a file, within a twentieth.</summary>
    public required double FileSize { get; init; }

    /// <summary>Milliseconds; null: no link, over loopback.</summary>
    public double? RoundTrip { get; init; }

    /// <summary>Mbit/s; 0: any.</summary>
    public double Rate { get; init; }

    public double Loss { get; init; }

    /// <summary>Files of 10 KB at 100 ms and 100 Mbit/s.</summary>
    public static Selection Of10KB(string protocol, string? server, string direction, int files) => new()
    {
        Protocol = protocol,
        Server = server,
        Direction = direction,
        Files = files,
        FileSize = 10_240,
        RoundTrip = 100,
        Rate = 100,
    };

    /// <summary>One file of 80 MiB at 100 ms and 500 Mbit/s.</summary>
    public static Selection OfLarge(string protocol, string direction) => new()
    {
        Protocol = protocol,
        Direction = direction,
        Files = 1,
        FileSize = 80 << 20,
        RoundTrip = 100,
        Rate = 500,
    };

    public string Work
    {
        get
        {
            var link = RoundTrip is { } trip
                ? $"{Format.Milliseconds(trip)}{(Rate > 0 ? ", " + Format.Rate(Rate) : string.Empty)}{(Loss > 0 ? $", {Format.Percent(Loss)} loss" : string.Empty)}" : "loopback";
            return $"{Format.Files(Files)} of {Format.Size(FileSize)} {Direction}, "
                + $"{Protocol}{(Server is null ? string.Empty : ", " + Server)}, {link}";
        }
    }

    /// <summary>How names of the scenarios begin that this is about; only for saying why there is nothing.</summary>
    private string ScenarioStart =>
        Format.Text($"{Files}x{Format.Size(FileSize).Replace(" ", string.Empty, StringComparison.Ordinal)}-{Direction}-{Protocol}-{Server}")
            .ToLowerInvariant();

    public IReadOnlyList<Result> Of(ReportData data) => [.. data.Results.Where(Fits)];

    /// <summary>Why there is no result of a client, as the run says it.</summary>
    public string WhyNot(ReportData data, IReadOnlyList<string> clients) =>
        data.LeftOut.FirstOrDefault(
            left => left.Scenario.StartsWith(ScenarioStart, StringComparison.OrdinalIgnoreCase)
                && (left.Client is null || clients.Contains(left.Client)))?.Why
        ?? "not measured in this run";

    private bool Fits(Result result) =>
        result.Protocol == Protocol
        && (Server is null || result.Server == Server)
        && result.Direction == Direction
        && result.Files == Files
        && Near(result.FileSize, FileSize)
        && (RoundTrip is { } trip
            ? result.Link?.Asked is { } link
                && Near(link.RoundTrip, trip) && (Rate == 0 || Near(link.Rate, Rate)) && Near(link.Loss, Loss) : result.Link is null);

    private static bool Near(double value, double wanted) => Math.Abs(value - wanted) <= wanted * 0.05;
}
