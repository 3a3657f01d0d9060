namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// The few scripts that run at a host. Whatever shell its users have reads them first, and only a POSIX shell is to understand them: so each is one word in single
/// quotes, without what another shell would read in there (a single quote, a backslash, <c>!</c>, a line's end). Paths come by standard input.
/// </summary>
internal static class HostScript
{
    // The first line of the input is a folder, as HostPath writes it; what follows it is left to the command: a shell's read takes no byte more (POSIX, read).
    // A path ends with what it ends with, also line ends, which a substitution would drop: hence the x. Half a line is another folder: then nothing is done.
    private const string ReadFolder = "IFS= read -r d || exit 1; d=$(printf %bx \"$d\"); d=${d%x}; ";

    private const string EnterFolder = ReadFolder + "cd \"$d\" || exit 1; ";

    // Names are bytes, and what users have set for themselves is theirs.
    private const string Plainly = "unset TAR_OPTIONS; LC_ALL=C; export LC_ALL; ";

    /// <summary>The command line of a script, which prints the marker on a line of its own before anything else.</summary>
    public static string Command(string marker, string script) => $"sh -c 'echo; echo {marker}; {script}'";

    /// <summary>Prints the user's umask, whose tar there is, where our own command is, and the marker.</summary>
    public static string Probe(string marker) => $"umask; echo \"$(tar --version 2>&1 | head -n 1)\"; command -v transfer || echo; echo {marker}";

    /// <summary>Extracts the tar stream that follows the folder.</summary>
    public static string Extract(bool setsTimes) => $"{EnterFolder}{Plainly}exec tar -x -o {(setsTimes ? string.Empty : "-m ")}-f -";

    /// <summary>Makes a tar stream of the files of the folder whose names follow it, each behind <c>./</c>.</summary>
    public static string Create(TarKind kind) => EnterFolder + Plainly + kind switch
    {
        TarKind.Gnu => "exec tar -c --null --no-recursion --hard-dereference -f - -T -",
        // Apple's would add files of its own.
        TarKind.Bsd => "COPYFILE_DISABLE=1; export COPYFILE_DISABLE; exec tar -c -n --null --format gnutar -f - -T -",
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "It takes no list of names."),
    };

    /// <summary>It takes a list of names, each ended by NUL.</summary>
    public static bool TakesNames(TarKind kind) => kind is TarKind.Gnu or TarKind.Bsd;

    /// <summary>Receives a job into the folder by our own command.</summary>
    public static string Receive(Overwrite overwrite) =>
        $"{ReadFolder}exec transfer receive --stdio --overwrite {NameOf(overwrite)} -- \"$d\"";

    /// <summary>Deletes the folder with all that is in it, which must be one of a job's own. A command that was broken off may still be writing there for a moment.</summary>
    public const string Remove = ReadFolder + "case \"$d\" in */.transfer-*.part) ;; *) exit 1;; esac; rm -rf -- \"$d\" || { sleep 1; rm -rf -- \"$d\"; }";

    private static string NameOf(Overwrite overwrite) => overwrite switch
    {
        Overwrite.Skip => "skip",
        Overwrite.Newer => "newer",
        Overwrite.Always => "always",
        _ => "fail",
    };
}
