namespace Transfer.Modes;

/// <summary>
/// Decides which permissions a file has that was written beside its name. The one place for it: local files, every protocol and batches ask here. Set-user-id, set-group-id and the sticky bit
/// are never among the answers: what they were given to is not the content that comes.
/// </summary>
public static class FinalMode
{
    /// <summary>The nine permission bits of POSIX: reading, writing and executing for the owner, the group and all others.</summary>
    public const UnixFileMode Permissions = (UnixFileMode)0b111_111_111;

    /// <summary>The permissions of a file that is not finished: its owner reads and writes (0600).</summary>
    public const UnixFileMode Unfinished = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>The permissions that programs ask for where they create a file and know no others (0666); a umask takes from them.</summary>
    public const UnixFileMode Usual = (UnixFileMode)0b110_110_110;

    private const UnixFileMode OfOwner = (UnixFileMode)0b111_000_000;
    private const UnixFileMode OfGroup = (UnixFileMode)0b000_111_000;
    private const UnixFileMode OfOthers = (UnixFileMode)0b000_000_111;
    private const int GroupShift = 3;

    /// <summary>The permissions of the finished file; null: those that the receiving side gives to a new file by itself, which are not known here.</summary>
    /// <param name="exact">Permissions that were asked for by name, whatever the umask; null: none were.</param>
    /// <param name="replaced">The file that had the name before; null: no file had.</param>
    /// <param name="source">The permissions of the source; null: not known, or there is none.</param>
    /// <param name="umask">What the receiving side takes from the permissions of new files; null: not known.</param>
    public static UnixFileMode? Decide(UnixFileMode? exact, ReplacedFile? replaced, UnixFileMode? source, UnixFileMode? umask)
    {
        if (exact is { } asked) return asked & Permissions;
        if (replaced is { } old) return old.IsSameGroup ? old.Mode & Permissions : WithoutGroup(old.Mode);
        return umask is { } taken ? (source ?? Usual) & Permissions & ~taken : null;
    }

    /// <summary>The umask that made a new file's permissions of <see cref="Usual"/>. It takes the right to execute from whom it takes the right to read.</summary>
    public static UnixFileMode UmaskOf(UnixFileMode created)
    {
        var taken = Usual & ~created;
        return taken | (UnixFileMode)((int)(taken & (UnixFileMode.UserRead | UnixFileMode.GroupRead | UnixFileMode.OtherRead)) >> 2);
    }

    /// <summary>A umask of which it matters for a file with these permissions: they are for more than the owner.</summary>
    public static bool DependsOnUmask(UnixFileMode? source) => ((source ?? Usual) & (OfGroup | OfOthers)) != 0;

    // To the old file the members of the new group were others, at most.
    private static UnixFileMode WithoutGroup(UnixFileMode mode) => mode & (OfOwner | OfOthers) | (UnixFileMode)((int)(mode & OfOthers) << GroupShift);
}
