using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>One difference, as <c>check --json</c> prints it on a line of its own.</summary>
internal sealed record CheckJson
{
    [JsonPropertyName("outcome")]
    public required string Outcome { get; init; }

    /// <summary>As text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes")]
    public byte[]? NameBytes { get; init; }

    [JsonPropertyName("type")]
    public required string Type { get; init; }

    /// <summary>The kind of a failure in one word.</summary>
    [JsonPropertyName("error")]
    public string? Error { get; init; }

    /// <summary>The failure in words.</summary>
    [JsonPropertyName("message")]
    public string? Message { get; init; }

    public static CheckJson Of(ComparedItem item) => new()
    {
        Outcome = NameOf(item.Outcome),
        Path = LocalPath.TextOf(item.Path),
        NameBytes = LocalPath.BytesOf(item.Path),
        Type = EntryJson.TypeName(item.Type),
        Error = item.Error is { } error ? new ItemFailure(item.Path, error).Kind : null,
        Message = item.Error is { } reason ? PrintableText.Of(reason.Message) : null,
    };

    public static string NameOf(ComparisonOutcome outcome) => outcome switch
    {
        ComparisonOutcome.Same => "same",
        ComparisonOutcome.Missing => "missing",
        ComparisonOutcome.Extra => "extra",
        ComparisonOutcome.Different => "different",
        _ => "failed",
    };
}
