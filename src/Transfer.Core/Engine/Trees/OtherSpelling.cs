namespace Transfer.Engine.Trees;

/// <summary>Directories that a target without regard to case or to Unicode's form has under another spelling.</summary>
internal static class OtherSpelling
{
    /// <summary>Finds a directory that is listed in another spelling only, where no creation shows the directory; null: absent.</summary>
    /// <param name="target">The target.</param>
    /// <param name="directory">The directory.</param>
    /// <param name="ct">Cancels.</param>
    public static async ValueTask<TreeEntry?> FindAsync(ITargetTree target, PlannedDirectory directory, CancellationToken ct)
    {
        if (directory is not { HasOtherSpelling: true, Parent: { } parent }) return null;
        var looks = await target.LookAsync(parent.TargetPath, [RemotePath.GetName(directory.TargetPath)], ct).ConfigureAwait(false);
        return looks[0].Entry;
    }

    /// <summary>Returns whether the target has such a directory.</summary>
    public static async ValueTask<bool> IsThereAsync(ITargetTree target, PlannedDirectory directory, CancellationToken ct) =>
        await FindAsync(target, directory, ct).ConfigureAwait(false) is { Type: RemoteEntryType.Directory };
}
