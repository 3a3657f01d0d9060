namespace Transfer.Contents;

/// <summary>Decides before anything is sent what becomes of a file whose target may exist.</summary>
internal static class OverwritePolicy
{
    /// <summary>True: send it; false: leave it.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: the target is in the way.</exception>
    public static bool Decide(OverwriteMode overwrite, string target, DateTimeOffset? modified, TreeEntry? existing, TimeSpan precision)
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

    /// <summary>By the coarser of the two time stamps' steps; what is not known is not newer.</summary>
    public static bool IsNewer(DateTimeOffset? source, DateTimeOffset? target, TimeSpan precision)
    {
        if (source is not { } ours || target is not { } theirs) return false;
        var step = Math.Max(1, precision.Ticks);
        return ours.UtcTicks / step > theirs.UtcTicks / step;
    }
}
