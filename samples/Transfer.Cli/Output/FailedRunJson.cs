using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>The summary that <c>--json=items</c> prints for a run that ended before a job.</summary>
internal sealed record FailedRunJson
{
    [JsonPropertyName("action")]
    public string Action { get; init; } = JobJson.Summary;

    [JsonPropertyName("exitCode")]
    public required int ExitCode { get; init; }

    /// <summary>The reason, as the only item, with an empty path.</summary>
    [JsonPropertyName("failed")]
    public required IReadOnlyList<FailureJson> Failed { get; init; }
}
