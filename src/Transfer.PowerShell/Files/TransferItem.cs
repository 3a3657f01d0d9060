using System.Management.Automation;

namespace Transfer.PowerShell.Files;

/// <summary>One item of a command, the output of <c>-PassThru</c>.</summary>
public sealed record TransferItem
{
    /// <summary>The item's path: relative to the named folder, or as given.</summary>
    public required string Path { get; init; }

    /// <summary>The action: Transfer, Skip, Keep, Move, Delete …</summary>
    public required string Action { get; init; }

    /// <summary>File, Directory, Link or Other.</summary>
    public required string Type { get; init; }

    /// <summary>Bytes that were moved.</summary>
    public long Bytes { get; init; }

    /// <summary>The offset at which the transfer resumed, in bytes; 0: at the beginning.</summary>
    public long ResumedAt { get; init; }

    /// <summary>How the arrival was checked: Reply, Size or Hash; null: no file was moved.</summary>
    public string? Verified { get; init; }

    /// <summary>The hash of the content, in hex as Get-FileHash writes; null: none was compared.</summary>
    public string? Hash { get; init; }

    /// <summary>The algorithm of the hash, by its name in Get-FileHash: SHA256, SHA512, SHA1 or MD5; null: none was compared.</summary>
    public string? HashAlgorithm { get; init; }

    /// <summary>The reason why the item failed; null: the item did not fail.</summary>
    public string? Error { get; init; }

    /// <summary>An item that failed before any job had it.</summary>
    internal static TransferItem OfFailed(ErrorRecord error) => new()
    {
        Path = error.TargetObject switch
        {
            RemoteEntry entry => entry.Path,
            FileSystemInfo local => local.FullName,
            var other => other?.ToString() ?? string.Empty,
        },
        Action = nameof(ItemAction.Transfer),
        Type = ((error.TargetObject as RemoteEntry)?.Type ?? RemoteEntryType.Other).ToString(),
        Error = error.Exception.Message,
    };

    internal static TransferItem Of(ItemResult item) => new()
    {
        Path = item.Path,
        Action = item.Action.ToString(),
        Type = item.Type.ToString(),
        Bytes = item.Result?.Bytes ?? 0,
        ResumedAt = item.Result?.ResumedAt ?? 0,
        Verified = item.Result is { Skipped: false } result ? result.Verified.ToString() : null,
        Hash = item.Result?.Hash?.ToUpperInvariant(),
        HashAlgorithm = item.Result?.HashAlgorithm?.Replace("-", string.Empty, StringComparison.Ordinal),
        Error = item.Error?.Message,
    };
}
