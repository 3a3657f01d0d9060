using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One item in <see cref="JobJson"/> that is called something else at the target.</summary>
internal sealed record MappedJson
{
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>Its path at the target, relative to the folder there.</summary>
    [JsonPropertyName("to")]
    public required string To { get; init; }
}
