namespace Transfer.Cli.Output;

/// <summary>A server's report as one line of JSON.</summary>
internal sealed record ServerReportJson(
    string? Server,
    IReadOnlyList<ServerFact> Facts,
    IReadOnlyList<string> Extensions,
    IReadOnlyList<ServerAbilityJson> Abilities,
    double? RoundTripMs,
    double? OpeningMs,
    int? MostSessions)
{
    public static ServerReportJson From(ServerReport report) => new(
        report.Server,
        report.Facts,
        report.Extensions,
        [.. report.Abilities.Select(ServerAbilityJson.From)],
        report.RoundTrip?.TotalMilliseconds,
        report.OpeningTime?.TotalMilliseconds,
        report.MostSessions);
}
