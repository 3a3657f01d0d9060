namespace Transfer.PowerShell.Files;

/// <summary>One item of a command, as <c>-PassThru</c> writes it.</summary>
public sealed record TransferItem
{
    /// <summary>The item's path: from the folder that was named, or as it was given.</summary>
    public required string Path { get; init; }

    /// <summary>What was done: Transfer, Skip, Keep, Move, Delete …</summary>
    public required string Action { get; init; }

    /// <summary>File, Directory, Link or Other.</summary>
    public required string Type { get; init; }

    /// <summary>Bytes that were moved.</summary>
    public long Bytes { get; init; }

    /// <summary>Where it went on; 0: at its beginning.</summary>
    public long ResumedAt { get; init; }

    /// <summary>How its arrival was checked: Reply, Size or Hash; null: nothing was moved.</summary>
    public string? Verified { get; init; }

    /// <summary>Why it failed; null: it did not.</summary>
    public string? Error { get; init; }

    internal static TransferItem Of(ItemResult item) => new()
    {
        Path = item.Path,
        Action = item.Action.ToString(),
        Type = item.Type.ToString(),
        Bytes = item.Result?.Bytes ?? 0,
        ResumedAt = item.Result?.ResumedAt ?? 0,
        Verified = item.Result is { Skipped: false } result ? result.Verified.ToString() : null,
        Error = item.Error?.Message,
    };
}
