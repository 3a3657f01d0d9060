using Microsoft.Extensions.Logging;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>
/// One SFTP session on a channel. Only a fault ends the session: the late reply to a cancelled request is recognised by its id, and
/// dropped.
/// </summary>
internal sealed class SftpSession : TransferSession
{
    private readonly SftpSessionContext _context;
    private readonly SshChannel _channel;
    private readonly SftpWorkRunner _runner;
    private readonly SftpLister _lister;
    private readonly SftpLookUp _lookUp;
    private readonly SftpEntries _entries;
    private readonly SftpDirectories _directories;
    private readonly SftpLinks _links;
    private readonly SftpCopier _copier;
    private TransferFeatures _features;

    private SftpSession(SftpSessionContext context, SshChannel channel, string? server)
    {
        _context = context;
        _channel = channel;
        _lister = new SftpLister(context, (path, ct) => _lookUp!.GetAsync(path, ct));
        _lookUp = new SftpLookUp(context, _lister);
        var renamer = new SftpRenamer(context, _lookUp);
        _runner = new SftpWorkRunner(context, renamer);
        _entries = new SftpEntries(context, renamer);
        _directories = new SftpDirectories(context, _lookUp);
        _links = new SftpLinks(context, renamer, _lookUp);
        _copier = new SftpCopier(context, renamer);
        _features = new TransferFeatures
        {
            Server = server,
            RenameReplaces = context.RenamesByPosix ? true : null,
            ReadsAtOffset = true,
            SegmentedDownloads = true,
            SegmentedUploads = context.WritesAtOffset,
            CopiesFiles = context.Offers(SftpExtension.CopyData),
            LooksBesideContent = true,
            ListsTogether = context.Limits.Listings,
            ChangesTogether = SftpSessionContext.MaxRequestsTogether,
            SetsMode = true,
        };
    }

    public override bool Usable => _context.Engine.Fault is null;

    /// <summary>As known by now: traits of times show with the first uploads.</summary>
    public override TransferFeatures Features
    {
        get
        {
            var traits = _context.Server.Traits;
            if (_features.SetsModified == traits.KeepsTimes && _features.TimePrecision == traits.TimeStep) return _features;
            return _features = _features with { SetsModified = traits.KeepsTimes, TimePrecision = traits.TimeStep };
        }
    }

    public override ServerReport Describe() => SftpServerReport.Of(_context, Features.Server, _channel.Methods);

    public override IReadOnlyCollection<string> OwnFiles => [.. _context.OwnFiles.Keys];

    /// <summary>
    /// Starts SFTP on a channel and takes it over: INIT, and the first requests without a wait for VERSION. A server that does not know
    /// limits@openssh.com answers with status 8, or not at all: the reply to the request behind shows that, and nothing is lost.
    /// </summary>
    /// <param name="channel">The subsystem's channel.</param>
    /// <param name="server">The server's software by its own name, or null.</param>
    /// <param name="options">The client's options.</param>
    /// <param name="state">The client's knowledge of the server.</param>
    /// <param name="logger">The log.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferConnectionException">The channel is unusable, and closed.</exception>
    public static async ValueTask<SftpSession> OpenAsync(
        SshChannel channel, string? server, SftpOptions options, SftpServerState state, ILogger logger, CancellationToken ct)
    {
        var engine = new SftpEngine(channel, options.IdleTimeout, options.TimeProvider, logger, state.Memory.Buffers);
        var context = new SftpSessionContext(engine, options, state, logger);
        try
        {
            if (state.SendsStepwise) await engine.Version.WaitAsync(ct).ConfigureAwait(false);
            var limits = !state.SendsStepwise || Announces(await engine.Version.ConfigureAwait(false), SftpExtension.Limits)
                ? context.Operations.LimitsAsync(ct) : (PendingReply?)null;
            var home = context.Operations.RealPathAsync(".", ct);
            var version = await engine.Version.WaitAsync(ct).ConfigureAwait(false);
            var folder = await home.ConfigureAwait(false) is { IsOk: true } named ? context.ReadName(named) : null;
            var told = default(SftpReply);
            if (limits is { } asked)
            {
                if (asked.IsCompleted || Announces(version, SftpExtension.Limits)) told = await asked.ConfigureAwait(false);
                else engine.Disregard(asked);
            }
            var known = told.Buffer is null ? SftpLimits.Default : context.Read(told, SftpLimits.Parse);
            await state.Traits.RecallAsync().WaitAsync(ct).ConfigureAwait(false);
            context.Opened(server, channel.SendWindow, channel.RoundTrip, version.Extensions, known, Absolute(folder));
            Log.SessionOpened(logger, known.Read, known.Write, known.Handles, context.Home);
            return new SftpSession(context, channel, server);
        }
        catch
        {
            await engine.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public override Task RunAsync(IWorkSource work, CancellationToken abort) => _runner.RunAsync(work, abort);

    public override void Break(TransferConnectionException reason) => _context.Engine.Fail(reason);

    public override IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken ct) =>
        _lister.ListTogetherAsync(directory, report, ct);

    public override ValueTask<IReadOnlyList<EntryOutcome>> GetEntriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _lookUp.GetAllAsync(paths, ct);

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) => _lookUp.GetAsync(path, ct);

    public override ValueTask<IReadOnlyList<DirectoryProof>> ProveDirectoriesAsync(
        IReadOnlyList<RemoteEntry> entries, CancellationToken ct) =>
        _directories.ProveAsync(entries, ct);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _directories.CreateAsync(paths, null, ct);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        IReadOnlyList<UnixFileMode?> modes, CancellationToken ct) =>
        _directories.CreateAsync(paths, modes, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _directories.DeleteFilesAsync(paths, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) =>
        _directories.RemoveAsync(paths, ct);

    public override ValueTask RenameAsync(Renaming renaming, CancellationToken ct) => _entries.RenameAsync(renaming, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> RenameFilesAsync(IReadOnlyList<Renaming> renamings,
        CancellationToken ct) => _entries.RenameAllAsync(renamings, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> SetModesAsync(IReadOnlyList<ModeSetting> settings, CancellationToken ct) =>
        _entries.SetModesAsync(settings, ct);

    public override ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken ct) =>
        _entries.SettleModeAsync(settlement, ct);

    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) =>
        _entries.SetAsync(path, metadata, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<SymbolicLink> links,
        CancellationToken ct) => _links.CreateAsync(links, ct);

    public override ValueTask<IReadOnlyList<LinkOutcome>> ReadLinksAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _links.ReadAsync(paths, ct);

    public override ValueTask<IReadOnlyList<LinkOutcome>> FollowLinksAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _links.FollowAsync(paths, ct);

    public override ValueTask<WorkOutcome.Done?> CopyFileAsync(FileCopy copy, CancellationToken ct) => _copier.CopyAsync(copy, ct);

    /// <summary>Version 3 has no hashes that servers offer: SHA-256 by a command, where the host runs commands; else null.</summary>
    public override async ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct)
    {
        if (!algorithm.Equals(ShellHashes.Algorithm, StringComparison.OrdinalIgnoreCase)) return null;
        await _context.Users.ResolveUsersAsync(path, ct).ConfigureAwait(false);
        return await _context.Server.Hashes.GetAsync(_channel, _context.Names.GetBytes(_context.Home),
            _context.Names.GetBytes(_context.Expand(path)), ct).ConfigureAwait(false);
    }

    public override HashSource HashSource => HashSource.Command;

    /// <summary>By statvfs@openssh.com; null where the server does not report the space.</summary>
    public override ValueTask<StorageSpace?> GetSpaceAsync(string path, CancellationToken ct) => _entries.GetSpaceAsync(path, ct);

    public override ValueTask DisposeAsync() => _context.Engine.DisposeAsync();

    private static bool Announces(SftpVersion version, string extension) => version.Extensions.ContainsKey(extension);

    private static string Absolute(string? home) => home is null or "" ? "/" : home[0] == '/' ? home : "/" + home;
}
