using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>A part of <see cref="ReportJson"/>.</summary>
internal sealed record PartJson
{
    [JsonPropertyName("part")]
    public required int Part { get; init; }

    [JsonPropertyName("host")]
    public required string Host { get; init; }

    [JsonPropertyName("seconds")]
    public required double Seconds { get; init; }

    [JsonPropertyName("files")]
    public required long Files { get; init; }

    [JsonPropertyName("bytes")]
    public required long Bytes { get; init; }
}
