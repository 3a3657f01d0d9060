using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>What <c>--json</c> prints at the end of put, get, copy and sync.</summary>
internal sealed record JobJson
{
    public const string Summary = "summary";

    /// <summary><c>summary</c> behind the items of <c>--json=items</c>; else there is none.</summary>
    [JsonPropertyName("action"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Action { get; init; }

    [JsonPropertyName("files")]
    public required long Files { get; init; }

    [JsonPropertyName("bytes")]
    public required long Bytes { get; init; }

    [JsonPropertyName("skipped")]
    public required long Skipped { get; init; }

    /// <summary>Only <c>sync</c> has this and the next four.</summary>
    [JsonPropertyName("unchanged"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? Unchanged { get; init; }

    [JsonPropertyName("moved"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? Moved { get; init; }

    [JsonPropertyName("deleted"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? Deleted { get; init; }

    [JsonPropertyName("notDeleted"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? NotDeleted { get; init; }

    [JsonPropertyName("readBack"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? ReadBack { get; init; }

    /// <summary>The offset at which the one file of the job was continued.</summary>
    [JsonPropertyName("resumedAt"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? ResumedAt { get; init; }

    [JsonPropertyName("seconds")]
    public required double Seconds { get; init; }

    [JsonPropertyName("sessions")]
    public required int Sessions { get; init; }

    [JsonPropertyName("retries")]
    public required int Retries { get; init; }

    /// <summary>How a folder went at a server that runs commands: <c>tar</c>, <c>transfer</c> or <c>off</c>.</summary>
    [JsonPropertyName("batch"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Batch { get; init; }

    /// <summary>The weakest check of all files: <c>reply</c>, <c>size</c> or <c>hash</c>; null when no file arrived.</summary>
    [JsonPropertyName("verified")]
    public required string? Verified { get; init; }

    /// <summary>The hash that was compared, where that is the same for all files.</summary>
    [JsonPropertyName("hash"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Hash { get; init; }

    /// <summary>
    /// Where the other end's hashes came from, the one that shows least: <c>server</c>, <c>command</c> or <c>readBack</c>.
    /// </summary>
    [JsonPropertyName("hashedBy"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? HashedBy { get; init; }

    /// <summary>What is called something else at the target, the first thousand.</summary>
    [JsonPropertyName("mapped"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<MappedJson>? Mapped { get; init; }

    /// <summary>Content at the target that has not its name, of this run and of earlier ones.</summary>
    [JsonPropertyName("kept"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<KeptJson>? Kept { get; init; }

    /// <summary>The warnings of the run, the first thousand.</summary>
    [JsonPropertyName("messages"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Messages { get; init; }

    /// <summary>The failed items, the first thousand.</summary>
    [JsonPropertyName("failed")]
    public required IReadOnlyList<FailureJson> Failed { get; init; }

    public static JobJson From(JobReport report, TimeSpan elapsed, bool sync = false, IReadOnlyList<string>? messages = null) => new()
    {
        Messages = messages is { Count: > 0 } ? messages : null,
        ResumedAt = report is { Files: 1, ResumedAt: > 0 } ? report.ResumedAt : null,
        Files = report.Files,
        Bytes = report.Bytes,
        Skipped = report.Skipped,
        Unchanged = sync ? report.Unchanged : null,
        Moved = sync ? report.Moved : null,
        Deleted = sync ? report.Deleted : null,
        NotDeleted = sync ? report.NotDeleted : null,
        ReadBack = sync ? report.ReadBack : null,
        Seconds = Math.Round(elapsed.TotalSeconds, 3),
        Sessions = report.Sessions,
        Retries = report.Retries,
        Batch = report.Batch,
        Verified = report.Weakest?.Verified switch
        {
            VerificationMode.Hash => "hash",
            VerificationMode.Size => "size",
            VerificationMode.Reply => "reply",
            _ => null
        },
        Hash = report.Weakest?.HashAlgorithm,
        HashedBy = report.Weakest?.HashSource is { } source ? NameOf(source) : null,
        Mapped = report.MappedCount > 0 ? [.. report.Mapped.Select(item => MappedJson.Of(item))] : null,
        Kept = report.Kept is { Count: > 0 } kept ? [.. kept.Select(KeptJson.Of)] : null,
        Failed = [.. report.Failures.Select(f => FailureJson.Of(f))],
    };

    public static string NameOf(HashSource source) => source switch
    {
        HashSource.Server => "server",
        HashSource.Command => "command",
        _ => "readBack",
    };
}
