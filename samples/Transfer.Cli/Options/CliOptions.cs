using System.CommandLine;
using Transfer.Cli.Output;

namespace Transfer.Cli.Options;

/// <summary>
/// The options of all verbs. They are all text here and judged in one place each, so that messages are ours and never repeat a secret.
/// </summary>
internal sealed class CliOptions
{
    public Option<bool> Help { get; } = Flag("--help", "Show this help.", "-h", "-?");

    /// <summary>The help of verbs whose -h is --human.</summary>
    public Option<bool> LongHelp { get; } = Flag("--help", "Show this help.", "-?");

    public Option<bool> Version { get; } = Flag("--version", "Show the version.", "-V");

    public Option<bool> ShowOptions { get; } =
        Flag("--show-options", "Do nothing, and print the value of each option, and where it is from.");

    public Option<bool> Quiet { get; } = Flag("--quiet", "Print only warnings and errors.", "-q");

    public Option<bool> Verbose { get; } = Flag("--verbose", "Name each item as it ends, on standard error.", "-v");

    public Option<bool> Wire { get; } =
        Flag("--wire", "As -v, and show the commands and replies of FTP, and the messages of SSH and SFTP, without secrets.", "-vv");

    public Option<bool> Debug { get; } =
        Flag("--debug", "As -vv, and show all that the library logs: sockets, sessions, decisions.", "-vvv");

    public Option<string> Log { get; } =
        Text("--log", "FILE",
            "Append a line to the file for each item and event, with time, action, bytes, path and error. Runs may share the file.");

    public Option<string> LogFormat { get; } =
        Text("--log-format", "text|jsonl", "The lines of --log: fields between tabs (default), or JSON objects.");

    public Option<bool> Json { get; } = Flag("--json", "Print the outcome as JSON on standard output.");

    /// <summary>One name with its value: a value of its own would take the next argument.</summary>
    public const string JsonItemsName = "--json=items";

    public Option<bool> JsonItems { get; } =
        Flag(JsonItemsName, "Print a JSON object a line for each item as it ends, and the outcome last.");

    public Option<string> Overwrite { get; } = Text("--overwrite", "fail|skip|newer|always",
        "The treatment of existing files. Default: always.");

    public Option<string> Publish { get; } =
        Text("--publish", "rename|direct",
            "rename: a file gets its name when complete (default). direct: for drop boxes that allow no renaming.");

    public Option<string> TempDir { get; } =
        Text("--temp-dir", "DIR",
            "Write unfinished files there, instead of beside their targets: relative to the target folder, or absolute. The folder is "
            + "made, and must be on the same file system.");

    public Option<bool> RemoveSource { get; } = Flag("--remove-source",
        "Delete each source file when its copy has arrived and was checked, and the source is unchanged since. Folders stay.");

    public Option<string> MoveSourceTo { get; } =
        Text("--move-source-to", "DIR",
            "Move each source file there instead: relative to the source's folder, or absolute on that side, and on the same file system.");

    public Option<bool> Fsync { get; } = Flag("--fsync", "Flush files to the target's disk before they count, where the protocol can.");

    public Option<bool> Perms { get; } =
        Flag("--perms",
            "Give files exactly the permissions of their source, without the umask. Default: a replaced file keeps its own, and a new "
            + "one has the source's, less the umask.");

    public Option<string> Verify { get; } = Text("--verify", "reply|size|hash",
        "The check of a file before the file counts. Default: size. hash: computed by the server, else the file is read back.");

    public Option<string> Links { get; } =
        Text("--links", "skip|copy|follow",
            "Symbolic links in folders: leave them out (default), make them at the target too, or take their targets within the folder.");

    public Option<string> MapNames { get; } =
        Text("--map-names", "off|target|windows",
            "Names in folders that the target can't have: off, they fail (default). target: they are changed, a:b to a%3Ab, where the "
            + "target's rules are known. windows: names that Windows can't have are changed.");

    public Option<string> Sessions { get; } = Text("--sessions", "N|auto",
        "Sessions at once. Default: auto, as many as the link makes worthwhile, 16 at most, or what the server allows; over FTP up to 64 "
        + "for many small files over a long link, as long as more are faster.");

    public Option<bool> Resume { get; } =
        Flag("--resume", "Continue an interrupted run of the same command: finished files are not sent again, large files continue.");

    public Option<string> Grace { get; } =
        Text("--grace", "S", "Seconds to finish the files under way after Ctrl-C; no other file begins. Default: 2. 0: none.");

    public Option<string> Segments { get; } = Text("--segments", "N|auto",
        "Most sessions that move one large file together. Default: auto, as many as pay. Uploads over FTP are divided only with a "
        + "number, and if the server passes a trial with a few bytes.");

    public Option<string> Limit { get; } =
        Text("--limit", "RATE|TIMES",
            "Most bytes a second, over all sessions with a server together: 500K, 1.5M; sizes as in --min-size. Or a rate for each "
            + "time of the day, \"08:00,1M 18:00,off\", or of the week, \"Mon-08:00,1M Sat-00:00,off\".");

    public Option<string> MaxDuration { get; } = Text("--max-duration", "AGE",
        "Begin no more files after this time: 90s, 30m, 8h. Files under way are finished within the grace.");

    public Option<string> MaxTransfer { get; } =
        Text("--max-transfer", "SIZE", "Begin no more files when this much was sent. Files under way are finished within the grace.");

    public Option<string[]> Include { get; } = Texts("--include", "GLOB",
        "Take only files that match one of these, or are in a folder that does. May be repeated.");

    public Option<string[]> Exclude { get; } = Texts("--exclude", "GLOB",
        "Leave out files and folders that match, also included ones. May be repeated.", "--ignore");

    public Option<string[]> FilterFrom { get; } = Texts("--filter-from", "FILE",
        "Read patterns from the file, one a line: + GLOB includes, - GLOB excludes, # begins a remark. May be repeated.");

    public Option<string> FilesFrom { get; } = Text("--files-from", "FILE|-",
        "Take the files that the file, or standard input, names: a path a line, relative to the source, kept below the target.");

    public Option<string> FilesFrom0 { get; } =
        Text("--files-from0", "FILE|-", "The same with a NUL behind each name, as find -0 prints them.");

    public Option<string> Newest { get; } =
        Text("--newest", "N", "Take only the N newest of the named or matching files; folders are left out.");

    public Option<string> MinSize { get; } = Text("--min-size", "SIZE",
        "Leave out smaller files. 100, 10K, 1.5M, 2G: powers of 1024; 10KB: powers of 1000.");

    public Option<string> MaxSize { get; } = Text("--max-size", "SIZE", "Leave out larger files.");

    public Option<string> NewerThan { get; } =
        Text("--newer-than", "AGE",
            "Leave out files modified longer ago: 90s, 30m, 12h, 7d, 2w; or before a date, 2026-11-01 or 2026-11-01T12:00:00Z.");

    public Option<string> OlderThan { get; } = Text("--older-than", "AGE", "Leave out files modified since.");

    public Option<string> Shard { get; } = Text("--shard", "I/N|final|auto",
        "Move one of N parts of the folder, 0 to N-1; final: delete and make empty folders, after all parts.");

    public Option<string> ShardBy { get; } = Text("--shard-by", "file|folder", "Divide by file (default), or keep top folders whole.");

    public Option<string> SessionsTotal { get; } = Text("--sessions-total", "N",
        "Sessions of all parts of --shard or of a plan that run at once: this part takes its share, 1 at least.");

    public Option<string> LimitTotal { get; } = Text("--limit-total", "RATE",
        "Most bytes a second of all parts of --shard or of a plan that run at once: this part takes its share.");

    public Option<bool> DryRun { get; } = Flag("--dry-run", "Change nothing and print the plan; with --json one object an item a line.",
        "-n");

    public Option<string> Compare { get; } =
        Text("--compare", "time|size|hash",
            "The comparison of a file that both sides have, beside the size: by time (default), by size only, or by a hash of the "
            + "content.");

    public Option<bool> Delete { get; } = Flag("--delete", "Delete files at the target that the source lacks, after all files were sent.");

    public Option<bool> DeleteForEmptySource { get; } = Flag("--delete-for-empty-source",
        "Let --delete work for a source without a single file too.");

    public Option<string> BackupDir { get; } =
        Text("--backup-dir", "DIR",
            "Move files there that would be replaced, or deleted by --delete: relative to the target folder, or absolute on that side, "
            + "and on the same file system.");

    public Option<string> MaxDelete { get; } =
        Text("--max-delete", "N|N%",
            "The most that --delete may delete, as a number or a percentage of the target's items. If more, nothing is deleted.");

    public Option<string> Wait { get; } = Text("--wait", "S",
        "Seconds to wait for another run of the same job to end. Default: 0, this run is refused at once.");

    public Option<string> MaxListing { get; } = Text("--max-listing", "SIZE",
        "Most memory for listed names, about 100 bytes each; a folder that needs more fails. Default: 128M.");

    public Option<string> LogInTimeout { get; } = Text("--login-timeout", "S",
        "Seconds for connecting and logging in as a whole, without time spent on prompts. Default: 120.");

    public Option<string> Timeout { get; } = Text("--timeout", "S",
        "Seconds without progress before giving up. Default: 60, and 15 to connect.");

    public Option<string> Retries { get; } = Text("--retries", "N", "The number of retries after a transient error. Default: 5.");

    public Option<string> Proxy { get; } = Text("--proxy", "URL", "Go through a proxy: http://[user:password@]host:port or socks5://...");

    public Option<bool> Active { get; } = Flag("--active", "Let the server open the data connections.");

    public Option<bool> Plain { get; } = Flag("--plain",
        "The plainest ways, for servers that differ from the usual. FTP: one command at a time, PASV, SIZE and MDTM, LIST. SFTP: requests "
        + "that build upon others wait for the reply, and RENAME in place of posix-rename.");

    public Option<bool> NoEpsv { get; } = Flag("--no-epsv",
        "Announce data connections by PASV, never by EPSV. Default: found out, and remembered for the host; so are the next three.");

    public Option<bool> NoMlsd { get; } = Flag("--no-mlsd", "List folders by LIST, never by MLSD.");

    public Option<bool> NoMlst { get; } = Flag("--no-mlst", "Describe files by SIZE and MDTM, never by MLST.");

    public Option<bool> NoPipelining { get; } = Flag("--no-pipelining", "Send one command at a time, the log-in's too.");

    public Option<bool> TrustPasv { get; } = Flag("--trust-pasv",
        "Connect to the address that PASV names, whatever it is. Default: to the server's own.");

    public Option<bool> TrustDataEnd { get; } = Flag("--trust-data-end",
        "Take a listing for whole where its data ends without TLS's close_notify, or by a reset, and the server's reply is good. "
        + "Default: the listing is partial.");

    public Option<string> Encoding { get; } = Text("--encoding", "NAME",
        "Encoding of names on servers that do not speak UTF-8, such as windows-1252.");

    public Option<string> Tls { get; } = Text("--tls", "explicit|implicit|off", "The start of TLS; by default as the scheme says.");

    public Option<string> TlsMin { get; } = Text("--tls-min", "1.2|1.3",
        "The lowest version of TLS. Default: 1.2, for servers that require resumed sessions; a greeting may choose 1.2.");

    public Option<string> TlsMax { get; } = Text("--tls-max", "1.2|1.3",
        "The highest version of TLS. Default: 1.3; 1.2 is found out for servers whose data connections have to resume sessions.");

    public Option<bool> ClearData { get; } = Flag("--clear-data",
        "Encrypt the commands and the password alone, for servers that refuse PROT P: files and listings travel in the clear.");

    public Option<string> KnownHosts { get; } = Text("--known-hosts", "FILE",
        "sftp: only. The file of known host keys, instead of ~/.ssh/known_hosts and the system's.");

    public Option<bool> AcceptNewHostKey { get; } =
        Flag("--accept-new-host-key", "sftp: only. Trust an unknown host and store its key. A changed key is still refused.");

    public Option<string> SshConfig { get; } =
        Text("--ssh-config", "FILE|none",
            "sftp: only. OpenSSH's configuration to read: host aliases, users, keys, jump hosts. Default: ~/.ssh/config and the system's.");

    public Option<string> Ciphers { get; } = Text("--ciphers", "LIST",
        "sftp: only. The ciphers to offer, best first, separated by commas.");

    public Option<string> TokenFile { get; } = Text("--token-file", "FILE",
        "A file that holds the receiver's token, or its whole address.");

    public Option<bool> Keep { get; } = Flag("--keep",
        "Go on receiving, under the same address each time. The key is kept in the user's folder for states.");

    public Option<bool> Stdio { get; } = Flag("--stdio",
        "Receive over standard input and output, for a sender that has started this command by SSH: the content is not sealed, only SSH "
        + "protects it.");

    public Option<string> Listen { get; } =
        Text("--listen", "ADDR:PORT", "The address to listen on. Default: all addresses, at a free port, with --keep at port 4780.");

    public Option<string> HostName { get; } = Text("--host", "NAME", "The name or address by which senders reach this machine.");

    public Option<bool> NoCompression { get; } = Flag("--no-compression", "Send content without compression.");

    public Option<string> ArchiveSize { get; } =
        Text("--archive-size", "SIZE",
            "Most content of an archive, 64K to 64M. Default: 2M, with --to 4M. Smaller ones lose less where connections break.");

    public Option<bool> NoDelta { get; } = Flag("--no-delta", "Send files whole, also where the receiver has another version of them.");

    public Option<string> Durability { get; } =
        Text("--durability", "archive|filesystem|file|none",
            "The flush to the disk before files are confirmed: once an archive (default), the whole file system, every file separately, "
            + "or none, left to the system.");

    public Option<string> Batch { get; } =
        Text("--batch", "auto|on|off",
            "Send a folder as a few streams where the server runs commands: by transfer receive there, or tar. Default: auto, where "
            + "clearly faster.");

    public Option<string> Server { get; } = Text("--server", "URL",
        "The server of the script, and the folder that its paths are relative to. Without, each line has URLs.");

    /// <summary>For the verbs that show entries.</summary>
    public LookOptions Look { get; } = new();

    /// <summary>For folders that are followed.</summary>
    public FollowOptions Follow { get; } = new();

    /// <summary>For the verbs that read files.</summary>
    public ContentOptions Contents { get; } = new();

    /// <summary>For what goes through a spool.</summary>
    public SpoolOptions Spool { get; } = new();

    /// <summary>For plans of several machines.</summary>
    public PlanOptions Plan { get; } = new();

    /// <summary>Returns this run's share of a limit over all parts of a job; null: the run is the whole job.</summary>
    public Func<long, long>? ShareOf { get; set; }

    /// <summary>Returns this run's share of the value of an option for all parts.</summary>
    /// <exception cref="UsageException">The run is the whole job.</exception>
    public long Share(Option option, long total) =>
        ShareOf?.Invoke(total) ?? throw new UsageException($"{option.Name} is for one of several parts, and there is no --shard.");

    /// <summary>For the one remote side of a command.</summary>
    public LoginOptions Login { get; } = new("--");

    /// <summary>For the side that is read, where both are remote.</summary>
    public LoginOptions From { get; } = new("--from-");

    /// <summary>For the side that is written, where both are remote.</summary>
    public LoginOptions To { get; } = new("--to-");

    public Option<bool> Recursive { get; } = Flag("--recursive", "Delete folders with their content.", "-r");

    public Option<bool> RecursiveModes { get; } = Flag("--recursive", "Change folders with their content.", "-R");

    /// <summary>The options that each verb has beside its own.</summary>
    /// <param name="own">The verb's own.</param>
    public IReadOnlyList<Option> GeneralBeside(IEnumerable<Option> own) =>
        [own.Contains(Look.Human) ? LongHelp : Help, Quiet, Verbose, Wire, Debug, Log, LogFormat, ShowOptions];

    /// <summary>Takes every verb's paths.</summary>
    public Argument<string[]> Paths { get; } = new("PATH") { Arity = new ArgumentArity(0, 100_000) };

    public IEnumerable<Option> Connection =>
        [Sessions, Timeout, LogInTimeout, MaxListing, Retries, Proxy, Encoding, Plain, .. FtpOnly, .. SftpOnly];

    /// <summary>Refused where no URL is one of FTP's.</summary>
    public IEnumerable<Option> FtpOnly =>
        [Active, Tls, TlsMin, TlsMax, ClearData, NoEpsv, NoMlsd, NoMlst, NoPipelining, TrustPasv, TrustDataEnd];

    /// <summary>Refused where no URL is <c>sftp:</c>.</summary>
    public IEnumerable<Option> SftpOnly => [SshConfig, KnownHosts, AcceptNewHostKey, Ciphers];

    /// <summary>What the lines of a script have in common.</summary>
    public IEnumerable<Option> OfScript =>
        [.. Connection, .. Login.All, .. From.All, .. To.All, Limit, LimitTotal, SessionsTotal, Wire, Debug];

    public IEnumerable<Option> Transfer =>
        [Overwrite, Publish, TempDir, BackupDir, RemoveSource, MoveSourceTo, Fsync, Perms, Verify, Links, MapNames, Segments, Limit,
        LimitTotal, MaxDuration, MaxTransfer, Resume, Grace, Wait, DryRun];

    /// <summary>What of a folder is meant.</summary>
    public IEnumerable<Option> Filter =>
        [Include, Exclude, FilterFrom, MinSize, MaxSize, NewerThan, OlderThan, Shard, ShardBy, SessionsTotal];

    /// <summary>Which files of a command are meant.</summary>
    public IEnumerable<Option> Names => [FilesFrom, FilesFrom0, Newest];

    public IEnumerable<Option> Sync =>
        [Compare, Delete, DeleteForEmptySource, MaxDelete, BackupDir, RemoveSource, MoveSourceTo, DryRun, Publish, TempDir,
        Fsync, Perms, Verify, Links, MapNames,
        Segments, Limit, LimitTotal, MaxDuration, MaxTransfer, Resume, Grace, Wait];

    public IEnumerable<Option> Watched => Sync.Except([Delete, DeleteForEmptySource, MaxDelete, DryRun]);

    /// <summary>The amount of detail on standard error that was asked for.</summary>
    public Verbosity Verbosity(ParseResult parsed) =>
        IsGiven(parsed, Debug) ? Output.Verbosity.All
        : IsGiven(parsed, Wire) ? Output.Verbosity.Wire
        : IsGiven(parsed, Verbose) ? Output.Verbosity.Items : Output.Verbosity.None;

    /// <summary>The value of an option, or null when it was not given.</summary>
    public static string? Value(ParseResult parsed, Option<string> option) => IsGiven(parsed, option) ? parsed.GetValue(option) : null;

    /// <summary>
    /// Whether an option is on: flags that were not given have a result too, an implicit one, and <c>--flag=false</c> is off.
    /// </summary>
    public static bool IsGiven(ParseResult parsed, Option option) =>
        IsTyped(parsed, option) && (option is not Option<bool> flag || parsed.GetValue(flag));

    /// <summary>Whether an option is there, on or off.</summary>
    public static bool IsTyped(ParseResult parsed, Option option) => parsed.GetResult(option) is { Implicit: false };

    public static Option<bool> Flag(string name, string description, params string[] aliases) =>
        new(name, aliases) { Description = description };

    public static Option<string[]> Texts(string name, string value, string description, params string[] aliases) =>
        new(name, aliases) { HelpName = value, Description = description };

    public static Option<string> Text(string name, string value, string description, params string[] aliases) =>
        new(name, aliases) { HelpName = value, Description = description };
}
