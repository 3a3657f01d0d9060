using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>The space of a server, as <c>df --json</c> prints it.</summary>
internal sealed record SpaceJson
{
    [JsonPropertyName("available")]
    public required long Available { get; init; }

    /// <summary>The whole file system, where the server reports it.</summary>
    [JsonPropertyName("total")]
    public long? Total { get; init; }

    public static SpaceJson Of(StorageSpace space) => new() { Available = space.Available, Total = space.Total };
}
