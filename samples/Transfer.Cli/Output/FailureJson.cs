using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One failed item in <see cref="JobJson"/>.</summary>
internal sealed record FailureJson
{
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    [JsonPropertyName("error")]
    public required string Error { get; init; }
}
