namespace Transfer.Modes;

/// <summary>
/// Decides on the final permissions of a file that was written under another name: the one place for local files, every protocol and
/// batches. Set-user-id, set-group-id and the sticky bit are never in the result: they were given to other content.
/// </summary>
public static class FinalMode
{
    /// <summary>The nine permission bits of POSIX: reading, writing and executing for the owner, the group and other users.</summary>
    public const UnixFileMode Permissions = (UnixFileMode)0b111_111_111;

    /// <summary>The permissions of an unfinished file: only the owner reads and writes (0600).</summary>
    public const UnixFileMode Unfinished = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>The permissions that programs request for new files by default (0666); a umask takes from them.</summary>
    public const UnixFileMode Usual = (UnixFileMode)0b110_110_110;

    private const UnixFileMode OfOwner = (UnixFileMode)0b111_000_000;
    private const UnixFileMode OfGroup = (UnixFileMode)0b000_111_000;
    private const UnixFileMode OfOthers = (UnixFileMode)0b000_000_111;
    private const int GroupShift = 3;

    /// <summary>
    /// Returns the permissions of the finished file; null: those that the receiving side gives to a new file by itself, unknown here.
    /// </summary>
    /// <param name="exact">Permissions requested by name, regardless of the umask; null: none.</param>
    /// <param name="replaced">The file that had the name before; null: none.</param>
    /// <param name="source">The permissions of the source; null: unknown, or no source.</param>
    /// <param name="umask">The bits that the receiving side takes from the permissions of new files; null: unknown.</param>
    public static UnixFileMode? Decide(UnixFileMode? exact, ReplacedFile? replaced, UnixFileMode? source, UnixFileMode? umask)
    {
        if (exact is { } asked) return asked & Permissions;
        if (replaced is { } old) return old.IsSameGroup ? old.Mode & Permissions : WithoutGroup(old.Mode);
        return umask is { } taken ? (source ?? Usual) & Permissions & ~taken : null;
    }

    /// <summary>
    /// Returns the umask that reduced <see cref="Usual"/> to a new file's permissions. A class that loses reading loses executing too.
    /// </summary>
    public static UnixFileMode UmaskOf(UnixFileMode created)
    {
        var taken = Usual & ~created;
        return taken | (UnixFileMode)((int)(taken & (UnixFileMode.UserRead | UnixFileMode.GroupRead | UnixFileMode.OtherRead)) >> 2);
    }

    /// <summary>Whether a umask matters for a file with these permissions: they are for more than the owner.</summary>
    public static bool DependsOnUmask(UnixFileMode? source) => ((source ?? Usual) & (OfGroup | OfOthers)) != 0;

    // For the old file, the members of the new group were other users at most.
    private static UnixFileMode WithoutGroup(UnixFileMode mode) =>
        mode & (OfOwner | OfOthers) | (UnixFileMode)((int)(mode & OfOthers) << GroupShift);
}
