using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One failed item in <see cref="JobJson"/>.</summary>
internal sealed record FailureJson
{
    /// <summary>As text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public byte[]? NameBytes { get; init; }

    [JsonPropertyName("error")]
    public required string Error { get; init; }

    /// <summary>The reason in words, for people.</summary>
    [JsonPropertyName("message")]
    public required string Message { get; init; }

    public static FailureJson Of(ItemFailure failure) => new()
    {
        Path = LocalPath.TextOf(failure.Path),
        NameBytes = LocalPath.BytesOf(failure.Path),
        Error = failure.Kind,
        Message = PrintableText.Of(failure.Error.Message),
    };
}
