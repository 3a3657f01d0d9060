namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// The few scripts that run at a host. The user's login shell, of any kind, reads them first, and only a POSIX shell must understand them:
/// so each is one word in single quotes, without characters that another shell would interpret there (a single quote, a backslash,
/// <c>!</c>, a line's end). Paths arrive by standard input.
/// </summary>
internal static class HostScript
{
    // The first line of the input is a folder, as HostPath writes it; the rest is left to the command: a shell's read takes no byte more
    // (POSIX, read).
    // The x keeps line ends at the end of a path, which a substitution would drop. Half a line is another folder: then nothing is done.
    private const string ReadFolder = "IFS= read -r d || exit 1; d=$(printf %bx \"$d\"); d=${d%x}; ";

    // The first line is a folder created over SFTP: if missing, the shell does not see the files that SFTP shows.
    private const string Prove = ReadFolder + "[ -d \"$d\" ] || { echo The shell there sees other files than SFTP >&2; exit 1; }; ";

    private const string EnterFolder = ReadFolder + "cd \"$d\" || exit 1; ";

    // Names are bytes, and settings of the user must not apply.
    private const string Plainly = "unset TAR_OPTIONS; LC_ALL=C; export LC_ALL; ";

    /// <summary>Returns the command line of a script, which first prints the marker on a line of its own.</summary>
    public static string Command(string marker, string script) => $"sh -c 'echo; echo {marker}; {script}'";

    /// <summary>Prints the user's umask, the kind of tar, the path of the SDK's own command, and the marker.</summary>
    public static string Probe(string marker) =>
        $"umask; echo \"$(tar --version 2>&1 | head -n 1)\"; command -v transfer || echo; echo {marker}";

    /// <summary>Ends well where the folder is there.</summary>
    public const string See = Prove + "exit 0";

    /// <summary>
    /// Extracts the tar stream behind the folder's path; the folder was created over SFTP and so is its own proof. Permissions are those of
    /// the stream: busybox accepts <c>-p</c> without effect, but without a umask creates files with the right permissions.
    /// </summary>
    public static string Extract(bool setsTimes) =>
        $"{EnterFolder}{Plainly}umask 0; exec tar -x -o -p {(setsTimes ? string.Empty : "-m ")}-f -";

    /// <summary>Writes a tar stream, behind the proof's path, of the files named behind, each with <c>./</c>. With GNU's
    /// options.</summary>
    public const string Create = Prove + EnterFolder + Plainly + "exec tar -c --null --no-recursion --hard-dereference -f - -T -";

    /// <summary>Whether the tar accepts a list of names, each ended by NUL, and fails when a file became shorter while being read:
    /// libarchive's pads the file silently.</summary>
    public static bool IsToldOfEach(TarKind kind) => kind == TarKind.Gnu;

    /// <summary>Receives a job into the folder by the SDK's own command, behind the proof's path.</summary>
    public static string Receive(OverwriteMode overwrite, bool perms) =>
        $"{Prove}{ReadFolder}exec transfer receive --stdio --overwrite {NameOf(overwrite)} {(perms ? "--perms " : string.Empty)}-- \"$d\"";

    /// <summary>Deletes the folder, one of a job's own, with its whole content. A command that was broken off may still be writing there
    /// for a moment.</summary>
    public const string Remove = ReadFolder
        + "case \"$d\" in */.transfer-*.part) ;; *) exit 1;; esac; rm -rf -- \"$d\" || { sleep 1; rm -rf -- \"$d\"; }";

    private static string NameOf(OverwriteMode overwrite) => overwrite switch
    {
        OverwriteMode.Skip => "skip",
        OverwriteMode.Newer => "newer",
        OverwriteMode.Always => "always",
        _ => "fail",
    };
}
