namespace Transfer.Contents;

/// <summary>Decides, before anything is sent, whether a file replaces an existing target.</summary>
internal static class OverwritePolicy
{
    /// <summary>True: send the file; false: skip the file.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: the target is in the way.</exception>
    public static bool ShouldSend(OverwriteMode overwrite, string target, DateTimeOffset? modified, TreeEntry? existing, TimeSpan precision)
    {
        if (existing is not { } there) return true;
        if (there.Type is RemoteEntryType.Directory or RemoteEntryType.Other)
            throw new TransferException(TransferError.Exists, $"{target} is not a file, and in the way of one.") { RemotePath = target };
        return overwrite switch
        {
            OverwriteMode.Fail => throw new TransferException(TransferError.Exists, $"{target} exists.") { RemotePath = target },
            OverwriteMode.Skip => false,
            OverwriteMode.Newer => IsNewer(modified, there.Modified, precision),
            _ => true,
        };
    }

    /// <summary>The reason for which a file is skipped in a mode; what other modes skip, an earlier run has moved.</summary>
    public static SkipReason ReasonOf(OverwriteMode overwrite) => overwrite switch
    {
        OverwriteMode.Skip => SkipReason.Exists,
        OverwriteMode.Newer => SkipReason.NotNewer,
        _ => SkipReason.Finished,
    };

    /// <summary>Whether the source is newer, by the coarser step of the two time stamps; an unknown time is not newer.</summary>
    public static bool IsNewer(DateTimeOffset? source, DateTimeOffset? target, TimeSpan precision)
    {
        if (source is not { } ours || target is not { } theirs) return false;
        var step = Math.Max(1, precision.Ticks);
        return ours.UtcTicks / step > theirs.UtcTicks / step;
    }
}
