using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One item in <see cref="JobJson"/> that is called something else at the target.</summary>
internal sealed record MappedJson
{
    /// <summary>As text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public byte[]? NameBytes { get; init; }

    /// <summary>Its path at the target, relative to the folder there.</summary>
    [JsonPropertyName("to")]
    public required string To { get; init; }

    public static MappedJson Of(ItemMapping item) => new()
    {
        Path = LocalPath.TextOf(item.Path),
        NameBytes = LocalPath.BytesOf(item.Path),
        To = LocalPath.TextOf(item.To),
    };
}
