using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>
/// One item or event, as <c>--json=items</c> and <c>--log-format jsonl</c> print it on a line of its own. Unknown facts are left out.
/// </summary>
internal sealed record ItemJson
{
    /// <summary>The time with the offset of the system's zone.</summary>
    [JsonPropertyName("time"), JsonPropertyOrder(-2)]
    public required string Time { get; init; }

    /// <summary>
    /// Of items <c>sent</c>, <c>skipped</c>, <c>moved</c>, <c>deleted</c>, <c>changed</c> (chmod) or <c>failed</c>; of events <c>begin</c>,
    /// <c>warning</c>, <c>error</c> or <c>end</c>.
    /// </summary>
    [JsonPropertyName("action")]
    public required string Action { get; init; }

    /// <summary>As text: see <see cref="EntryJson.Path"/>.</summary>
    [JsonPropertyName("path")]
    public string? Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes")]
    public byte[]? NameBytes { get; init; }

    /// <summary>The path of a moved file before.</summary>
    [JsonPropertyName("from")]
    public string? From { get; init; }

    /// <summary>The path at the target, relative to the folder there, where it differs.</summary>
    [JsonPropertyName("to")]
    public string? To { get; init; }

    /// <summary><c>directory</c> or <c>link</c>; a file has none.</summary>
    [JsonPropertyName("type")]
    public string? Type { get; init; }

    [JsonPropertyName("bytes")]
    public long? Bytes { get; init; }

    /// <summary>The offset at which a partial file was continued.</summary>
    [JsonPropertyName("resumedAt")]
    public long? ResumedAt { get; init; }

    [JsonPropertyName("seconds")]
    public double? Seconds { get; init; }

    /// <summary>The number of attempts, where more than one was made.</summary>
    [JsonPropertyName("attempts")]
    public int? Attempts { get; init; }

    [JsonPropertyName("hash")]
    public string? Hash { get; init; }

    [JsonPropertyName("hashAlgorithm")]
    public string? HashAlgorithm { get; init; }

    /// <summary>The reason of a skipped item in one word.</summary>
    [JsonPropertyName("reason")]
    public string? Reason { get; init; }

    /// <summary>The kind of a failure in one word.</summary>
    [JsonPropertyName("error")]
    public string? Error { get; init; }

    /// <summary>Words for people: of a failure, a warning, or the run.</summary>
    [JsonPropertyName("message")]
    public string? Message { get; init; }

    /// <summary>The process, at the beginning of a run: several may write to one log.</summary>
    [JsonPropertyName("process")]
    public int? Process { get; init; }

    [JsonPropertyName("exitCode")]
    public int? ExitCode { get; init; }

    public static ItemJson Of(ItemEvent item, string time)
    {
        var result = item.Item.Result;
        var moved = ItemText.Bytes(item) is not null ? result : null;
        return new ItemJson
        {
            Time = time,
            Action = item.Action,
            Path = LocalPath.TextOf(item.Path),
            NameBytes = LocalPath.BytesOf(item.Path),
            From = item.FromPath is { } from ? LocalPath.TextOf(from) : null,
            To = item.Item.MappedTo is { } to ? LocalPath.TextOf(to) : null,
            Type = item.Item.Type == RemoteEntryType.File ? null : EntryJson.TypeName(item.Item.Type),
            Bytes = moved?.Bytes,
            ResumedAt = moved is { ResumedAt: > 0 } ? moved.ResumedAt : null,
            Seconds = moved is { Elapsed.Ticks: > 0 } ? Math.Round(moved.Elapsed.TotalSeconds, 3) : null,
            Attempts = result is { Attempts: > 1 } ? result.Attempts : null,
            Hash = result?.Hash,
            HashAlgorithm = result?.HashAlgorithm,
            Reason = ItemText.Reason(item.Item),
            Error = item.Failure?.Kind,
            Message = item.Failure is { } failure ? PrintableText.Of(failure.Error.Message) : null,
        };
    }
}
