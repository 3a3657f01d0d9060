using System.CommandLine;
using System.Globalization;
using Transfer.Batch;

namespace Transfer.Cli.Options;

/// <summary>How files are written, as the options say it.</summary>
internal sealed record TransferSettings
{
    // Small files are mostly done by then, and nobody waits long for what large ones would take.
    private static readonly TimeSpan UsualGrace = TimeSpan.FromSeconds(2);

    /// <summary>As cp, scp and curl do, other than the API.</summary>
    public OverwriteMode Overwrite { get; private init; } = OverwriteMode.Always;

    public PublishMode Publish { get; private init; } = PublishMode.Rename;

    public string? TemporaryFolder { get; private init; }

    /// <summary>Where what would be replaced or deleted goes.</summary>
    public string? BackupFolder { get; private init; }

    /// <summary>Sources are deleted when their copies have arrived.</summary>
    public bool RemoveSource { get; private init; }

    /// <summary>Where sources go when their copies have arrived; null: they stay.</summary>
    public string? MoveSourceTo { get; private init; }

    /// <summary>Sources do not stay.</summary>
    public bool DisposesSource => RemoveSource || MoveSourceTo is not null;

    public bool FlushToDisk { get; private init; }

    /// <summary>Files get exactly the permissions of their source.</summary>
    public bool Perms { get; private init; }

    public VerificationMode Verify { get; private init; } = VerificationMode.Size;

    public LinkHandling Links { get; private init; }

    public NameMapping NameMapping { get; private init; }

    public SyncComparison Compare { get; private init; }

    public bool Delete { get; private init; }

    public bool DeleteForEmptySource { get; private init; }

    public DeletionLimit? MaxDelete { get; private init; }

    /// <summary>How long to wait for another run of the same job.</summary>
    public TimeSpan Wait { get; private init; }

    /// <summary>As many as were asked for; null: the engine decides.</summary>
    public int? Sessions { get; private init; }

    /// <summary>As many sessions for one large file as were asked for; null: the engine decides.</summary>
    public int? Segments { get; private init; }

    public TransferFilter? Filter { get; private init; }

    /// <summary>The number of files to take, the newest ones; null: all.</summary>
    public int? Newest { get; private init; }

    /// <summary>Nothing is changed; what would be done is printed.</summary>
    public bool DryRun { get; private init; }

    /// <summary>Goes on where the same command was broken off.</summary>
    public bool Resume { get; private init; }

    /// <summary>How long files under way have to be finished once the command is interrupted.</summary>
    public TimeSpan Grace { get; private init; }

    /// <summary>Whether folders go in a batch.</summary>
    public BatchMode Batch { get; private init; }

    /// <summary>When what comes in a batch is safe.</summary>
    public Durability Durability { get; private init; }

    public bool OverwriteGiven { get; private init; }

    public bool PublishGiven { get; private init; }

    public DirectoryOptions Directory => OfFolder(new DirectoryOptions { Overwrite = Overwrite });

    public SyncOptions Sync =>
        OfFolder(
            new SyncOptions { Compare = Compare, Delete = Delete, DeleteForEmptySource = DeleteForEmptySource, MaxDelete = MaxDelete });

    public UploadOptions Upload => OfFile(new UploadOptions { CreateDirectories = true });

    public DownloadOptions Download => OfFile(new DownloadOptions());

    public FilesOptions Files => OfFile(new FilesOptions { Sessions = Sessions });

    public static TransferSettings Read(ParseResult parsed, CliOptions options, CommandHost host)
    {
        var overwrite = CliOptions.Value(parsed, options.Overwrite);
        var publish = CliOptions.Value(parsed, options.Publish);
        var temporary = CliOptions.Value(parsed, options.TempDir);
        CheckFolder(temporary, options.TempDir.Name, isOther: false);
        if (temporary is not null && publish == "direct")
            throw new UsageException("--temp-dir and --publish direct contradict each other.");
        var backup = CliOptions.Value(parsed, options.BackupDir);
        CheckFolder(backup, options.BackupDir.Name, isOther: true);
        if (backup is not null && publish == "direct") throw new UsageException("--backup-dir and --publish direct contradict each other.");
        var moveTo = CliOptions.Value(parsed, options.MoveSourceTo);
        var remove = CliOptions.IsGiven(parsed, options.RemoveSource);
        CheckFolder(moveTo, options.MoveSourceTo.Name, isOther: true);
        if (moveTo is not null && remove) throw new UsageException("--remove-source and --move-source-to contradict each other.");
        var disposes = remove || moveTo is not null;
        if (disposes && CliOptions.Value(parsed, options.Links) == "follow")
            throw new UsageException("--links follow contradicts --remove-source and --move-source-to: a link is not the file.");
        if (disposes && CliOptions.IsGiven(parsed, options.Delete))
        {
            throw new UsageException(
                "--delete contradicts --remove-source and --move-source-to: the next run would delete what this one sent.");
        }

        return new TransferSettings
        {
            RemoveSource = remove,
            MoveSourceTo = moveTo,
            Sessions = ConnectionSettings.ReadSessions(parsed, options),
            Segments = ConnectionSettings.ParseSessions(CliOptions.Value(parsed, options.Segments), "--segments"),
            Filter = FilterSettings.Read(parsed, options, host),
            Newest = ParseCount(CliOptions.Value(parsed, options.Newest), options.Newest.Name),
            DryRun = CliOptions.IsGiven(parsed, options.DryRun),
            Resume = CliOptions.IsGiven(parsed, options.Resume),
            Grace = ParseSeconds(CliOptions.Value(parsed, options.Grace), UsualGrace, "--grace"),
            Delete = CliOptions.IsGiven(parsed, options.Delete),
            MaxDelete = ParseMaxDelete(CliOptions.Value(parsed, options.MaxDelete)),
            Wait = ParseSeconds(CliOptions.Value(parsed, options.Wait), TimeSpan.Zero, "--wait"),
            DeleteForEmptySource = CliOptions.IsGiven(parsed, options.DeleteForEmptySource),
            Compare = CliOptions.Value(parsed, options.Compare) switch
            {
                null or "time" => SyncComparison.Time,
                "size" => SyncComparison.Size,
                "hash" => SyncComparison.Hash,
                _ => throw new UsageException("--compare wants time, size or hash."),
            },
            Batch = CliOptions.Value(parsed, options.Batch) switch
            {
                null or "auto" => BatchMode.Auto,
                "on" => BatchMode.Always,
                "off" => BatchMode.Never,
                _ => throw new UsageException("--batch wants auto, on or off."),
            },
            Durability = CliOptions.Value(parsed, options.Durability) switch
            {
                null or "archive" => Durability.Archive,
                "filesystem" => Durability.FileSystem,
                "file" => Durability.File,
                "none" => Durability.None,
                _ => throw new UsageException("--durability wants archive, filesystem, file or none."),
            },
            OverwriteGiven = overwrite is not null,
            PublishGiven = publish is not null,
            Overwrite = overwrite switch
            {
                null or "always" => OverwriteMode.Always,
                "fail" => OverwriteMode.Fail,
                "skip" => OverwriteMode.Skip,
                "newer" => OverwriteMode.Newer,
                _ => throw new UsageException("--overwrite wants fail, skip, newer or always."),
            },
            Publish = publish switch
            {
                null or "rename" => PublishMode.Rename,
                "direct" => PublishMode.Direct,
                _ => throw new UsageException("--publish wants rename or direct."),
            },
            TemporaryFolder = temporary,
            BackupFolder = backup,
            FlushToDisk = CliOptions.IsGiven(parsed, options.Fsync),
            Perms = CliOptions.IsGiven(parsed, options.Perms),
            Links = CliOptions.Value(parsed, options.Links) switch
            {
                null or "skip" => LinkHandling.Skip,
                "copy" => LinkHandling.Copy,
                "follow" => LinkHandling.Follow,
                _ => throw new UsageException("--links wants skip, copy or follow."),
            },
            NameMapping = CliOptions.Value(parsed, options.MapNames) switch
            {
                null or "off" => NameMapping.None,
                "target" => NameMapping.Target,
                "windows" => NameMapping.Windows,
                _ => throw new UsageException("--map-names wants off, target or windows."),
            },
            Verify = CliOptions.Value(parsed, options.Verify) switch
            {
                null or "size" => VerificationMode.Size,
                "reply" => VerificationMode.Reply,
                "hash" => VerificationMode.Hash,
                _ => throw new UsageException("--verify wants reply, size or hash."),
            },
        };
    }

    /// <summary>Reads a number from 1 on; null when it was not given.</summary>
    internal static int? ParseCount(string? text, string option)
    {
        if (text is null) return null;
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count > 0
            ? count : throw new UsageException($"{option} wants a number from 1.");
    }

    private static DeletionLimit? ParseMaxDelete(string? text)
    {
        if (text is null) return null;
        var digits = text.EndsWith('%') ? text[..^1] : text;
        if (text.EndsWith('%') && double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
            && percent <= 100)
        {
            return DeletionLimit.OfPercent(percent);
        }

        return long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var items)
            ? DeletionLimit.OfItems(items)
            : throw new UsageException("--max-delete wants a number, or a percentage such as 10%.");
    }

    /// <summary>Reads a number of seconds.</summary>
    internal static TimeSpan ParseSeconds(string? text, TimeSpan usual, string option)
    {
        if (text is null) return usual;
        return double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds)
            && seconds <= ConnectionSettings.LongestTimeout.TotalSeconds
            ? TimeSpan.FromSeconds(seconds)
            : throw new UsageException($"{option} wants seconds, a week at most.");
    }

    private static void CheckFolder(string? folder, string option, bool isOther)
    {
        if (folder is null) return;
        if (string.IsNullOrWhiteSpace(folder)) throw new UsageException($"{option} wants a folder.");
        if (folder.AsSpan().ContainsAny('\r', '\n', '\0')) throw new UsageException($"{option} wants a folder without CR, LF and NUL.");
        if (isOther && !folder.StartsWith('/') && folder.Split('/').All(name => name is "" or "."))
            throw new UsageException($"{option} wants another folder than that of the files.");
    }

    // What all jobs have in common.
    private T OfAny<T>(T options)
        where T : TransferOptions =>
        (T)((TransferOptions)options with
        {
            Publish = Publish,
            TemporaryDirectory = TemporaryFolder,
            BackupDirectory = BackupFolder,
            RemoveSource = RemoveSource,
            MoveSourceTo = MoveSourceTo,
            FlushToDisk = FlushToDisk,
            PreserveMode = Perms,
            Verify = Verify,
            Segments = Segments,
        });

    // What all jobs of files have in common.
    private T OfFile<T>(T options)
        where T : FileJobOptions => (T)((FileJobOptions)OfAny(options) with { Overwrite = Overwrite });

    // What all jobs of folders have in common.
    private T OfFolder<T>(T options)
        where T : DirectoryJobOptions =>
        (T)((DirectoryJobOptions)OfAny(options) with
        {
            Links = Links,
            NameMapping = NameMapping,
            Sessions = Sessions,
            Filter = Filter,
            DryRun = DryRun,
        });
}
