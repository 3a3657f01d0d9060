using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>The hash of a file, as <c>hash --json</c> prints it on a line of its own.</summary>
internal sealed record HashJson
{
    /// <summary>As text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes")]
    public byte[]? NameBytes { get; init; }

    [JsonPropertyName("algorithm")]
    public required string Algorithm { get; init; }

    [JsonPropertyName("hash")]
    public required string Hash { get; init; }

    /// <summary><c>server</c>, <c>command</c> or <c>readBack</c>.</summary>
    [JsonPropertyName("hashedBy")]
    public required string HashedBy { get; init; }

    public static HashJson Of(string path, ComputedHash hash) => new()
    {
        Path = LocalPath.TextOf(path),
        NameBytes = LocalPath.BytesOf(path),
        Algorithm = hash.Algorithm,
        Hash = hash.Hash,
        HashedBy = JobJson.NameOf(hash.Source),
    };
}
