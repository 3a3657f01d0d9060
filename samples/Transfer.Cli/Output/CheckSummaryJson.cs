using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>The counts that <c>check --json</c> prints last.</summary>
internal sealed record CheckSummaryJson
{
    [JsonPropertyName("same")]
    public required long Same { get; init; }

    [JsonPropertyName("missing")]
    public required long Missing { get; init; }

    [JsonPropertyName("extra")]
    public required long Extra { get; init; }

    [JsonPropertyName("different")]
    public required long Different { get; init; }

    [JsonPropertyName("failed")]
    public required long Failed { get; init; }
}
