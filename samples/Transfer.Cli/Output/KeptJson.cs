using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One file in <see cref="JobJson"/> whose content has not its name.</summary>
internal sealed record KeptJson
{
    /// <summary>The path that the content belongs to, as text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>Where the content is.</summary>
    [JsonPropertyName("keptAs")]
    public required string KeptAs { get; init; }

    /// <summary>The bytes of that path in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public byte[]? NameBytes { get; init; }

    /// <summary><c>old</c>: what had the path before; <c>new</c>: what was to have it.</summary>
    [JsonPropertyName("content")]
    public required string Content { get; init; }

    public static KeptJson Of(KeptFile file) => new()
    {
        Path = LocalPath.TextOf(file.Path),
        KeptAs = LocalPath.TextOf(file.KeptAs),
        NameBytes = LocalPath.BytesOf(file.KeptAs),
        Content = file.IsOld ? "old" : "new",
    };
}
