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

    // The first line is a folder that SFTP has made: without it the shell does not see the files that SFTP shows.
    private const string Prove = ReadFolder + "[ -d \"$d\" ] || { echo The shell there sees other files than SFTP >&2; exit 1; }; ";

    private const string EnterFolder = ReadFolder + "cd \"$d\" || exit 1; ";

    // Names are bytes, and what users have set for themselves is theirs.
    private const string Plainly = "unset TAR_OPTIONS; LC_ALL=C; export LC_ALL; ";

    /// <summary>The command line of a script, which prints the marker on a line of its own before anything else.</summary>
    public static string Command(string marker, string script) => $"sh -c 'echo; echo {marker}; {script}'";

    /// <summary>Prints the user's umask, whose tar there is, where our own command is, and the marker.</summary>
    public static string Probe(string marker) => $"umask; echo \"$(tar --version 2>&1 | head -n 1)\"; command -v transfer || echo; echo {marker}";

    /// <summary>Ends well where the folder is there.</summary>
    public const string See = Prove + "exit 0";

    /// <summary>
    /// Extracts the tar stream that follows the folder, which is one of SFTP's making and so proves itself. Permissions are the stream's: busybox's takes <c>-p</c> and does not
    /// heed it, but without a umask it makes files with what they are to have.
    /// </summary>
    public static string Extract(bool setsTimes) => $"{EnterFolder}{Plainly}umask 0; exec tar -x -o -p {(setsTimes ? string.Empty : "-m ")}-f -";

    /// <summary>Makes a tar stream, behind the folder that proves it, of the files of the folder whose names follow, each behind <c>./</c>. GNU's options.</summary>
    public const string Create = Prove + EnterFolder + Plainly + "exec tar -c --null --no-recursion --hard-dereference -f - -T -";

    /// <summary>It takes a list of names, each ended by NUL, and ends with an error when a file became shorter as it was read: libarchive's fills it up and says nothing.</summary>
    public static bool IsToldOfEach(TarKind kind) => kind == TarKind.Gnu;

    /// <summary>Receives a job into the folder by our own command, behind the folder that proves it.</summary>
    public static string Receive(OverwriteMode overwrite, bool perms) =>
        $"{Prove}{ReadFolder}exec transfer receive --stdio --overwrite {NameOf(overwrite)} {(perms ? "--perms " : string.Empty)}-- \"$d\"";

    /// <summary>Deletes the folder with all that is in it, which must be one of a job's own. A command that was broken off may still be writing there for a moment.</summary>
    public const string Remove = ReadFolder + "case \"$d\" in */.transfer-*.part) ;; *) exit 1;; esac; rm -rf -- \"$d\" || { sleep 1; rm -rf -- \"$d\"; }";

    private static string NameOf(OverwriteMode overwrite) => overwrite switch
    {
        OverwriteMode.Skip => "skip",
        OverwriteMode.Newer => "newer",
        OverwriteMode.Always => "always",
        _ => "fail",
    };
}
