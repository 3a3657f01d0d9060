using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>What <c>receive --json</c> prints before anything has come.</summary>
internal sealed record AddressJson
{
    [JsonPropertyName("address")]
    public required string Address { get; init; }
}
