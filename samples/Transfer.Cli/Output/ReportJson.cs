using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>The state of a plan, as <c>report --json</c> prints it.</summary>
internal sealed record ReportJson
{
    [JsonPropertyName("plan")]
    public required string Plan { get; init; }

    [JsonPropertyName("parts")]
    public required int Parts { get; init; }

    [JsonPropertyName("partsDone")]
    public required int PartsDone { get; init; }

    [JsonPropertyName("done")]
    public required bool Done { get; init; }

    [JsonPropertyName("files")]
    public required long Files { get; init; }

    [JsonPropertyName("bytes")]
    public required long Bytes { get; init; }

    [JsonPropertyName("unchanged")]
    public required long Unchanged { get; init; }

    [JsonPropertyName("deleted")]
    public required long Deleted { get; init; }

    [JsonPropertyName("failed")]
    public required long Failed { get; init; }

    /// <summary>The numbers of the parts to apply.</summary>
    [JsonPropertyName("open")]
    public required IReadOnlyList<int> Open { get; init; }

    [JsonPropertyName("slowest")]
    public required IReadOnlyList<PartJson> Slowest { get; init; }

    public static ReportJson Of(PlanReport report, int slowest) => new()
    {
        Plan = report.Plan.Id,
        Parts = report.Plan.Parts,
        PartsDone = report.Done,
        Done = report.IsDone,
        Files = report.Files,
        Bytes = report.Bytes,
        Unchanged = report.Unchanged,
        Deleted = report.Deleted,
        Failed = report.Failed,
        Open = [.. report.Open],
        Slowest = [.. report.Slowest.Take(slowest).Select(part => new PartJson
        {
            Part = part.Part,
            Host = part.Host,
            Seconds = part.Seconds,
            Files = part.Files,
            Bytes = part.Bytes,
        })],
    };
}
