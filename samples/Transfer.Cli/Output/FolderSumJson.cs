using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One folder, as <c>du --json</c> prints it on a line of its own.</summary>
internal sealed record FolderSumJson
{
    /// <summary>As text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes")]
    public byte[]? NameBytes { get; init; }

    [JsonPropertyName("bytes")]
    public required long Bytes { get; init; }

    [JsonPropertyName("files")]
    public required long Files { get; init; }

    public static FolderSumJson Of(FolderSum sum) => new()
    {
        Path = LocalPath.TextOf(sum.Path),
        NameBytes = LocalPath.BytesOf(sum.Path),
        Bytes = sum.Bytes,
        Files = sum.Files,
    };
}
