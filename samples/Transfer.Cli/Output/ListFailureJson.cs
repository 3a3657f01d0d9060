using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>What <c>ls --json</c> prints behind the entries of a partial listing.</summary>
internal sealed record ListFailureJson
{
    [JsonPropertyName("failed")]
    public required IReadOnlyList<FailureJson> Failed { get; init; }
}
