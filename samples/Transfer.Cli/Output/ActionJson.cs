using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One item of a dry run, as <c>--json</c> prints it on a line of its own. What does not apply is left out.</summary>
internal sealed record ActionJson
{
    [JsonPropertyName("action")]
    public required string Action { get; init; }

    /// <summary>As text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes")]
    public byte[]? NameBytes { get; init; }

    /// <summary>Where a file is that would be moved.</summary>
    [JsonPropertyName("from")]
    public string? From { get; init; }

    /// <summary>Its path at the target, relative to the folder there, where that is another.</summary>
    [JsonPropertyName("to")]
    public string? To { get; init; }

    [JsonPropertyName("type")]
    public required string Type { get; init; }

    /// <summary>Bytes that would be sent, as far as is known.</summary>
    [JsonPropertyName("bytes")]
    public long? Bytes { get; init; }

    /// <summary>Why it could not be done.</summary>
    [JsonPropertyName("error")]
    public string? Error { get; init; }

    public static ActionJson Of(ItemEvent item) => new()
    {
        Action = NameOf(item.Item.Action),
        Path = LocalPath.TextOf(item.Path),
        NameBytes = LocalPath.BytesOf(item.Path),
        From = item.FromPath is { } from ? LocalPath.TextOf(from) : null,
        To = item.Item.MappedTo is { } to ? LocalPath.TextOf(to) : null,
        Type = EntryJson.TypeName(item.Item.Type),
        Bytes = item.Item is { Action: ItemAction.Transfer, Result: { } result } ? result.Bytes : null,
        Error = item.Failure?.Kind,
    };

    public static string NameOf(ItemAction action) => action switch
    {
        ItemAction.Transfer => "send",
        ItemAction.Skip => "skip",
        ItemAction.Move => "move",
        ItemAction.Delete => "delete",
        _ => "keep",
    };
}
