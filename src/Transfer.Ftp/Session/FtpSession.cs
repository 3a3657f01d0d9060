using System.Runtime.CompilerServices;
using Transfer.Ftp.Protocol;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>One logged-in FTP session: translates paths and passes each request to the part with the right commands.</summary>
internal sealed class FtpSession : TransferSession
{
    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpWorkRunner _runner;
    private readonly FtpBatchLister _batches;
    private readonly FtpLookUp _lookUp;
    private readonly FtpDirectoryProofs _proofs;
    private readonly FtpDirectories _directories;
    private readonly FtpAttributes _attributes;
    private readonly FtpRenamer _renamer;
    private TransferFeatures _features;

    /// <param name="context">The control connection and the known facts about the server.</param>
    /// <param name="passive">Opens the data connections.</param>
    /// <param name="ahead">The first transfer's connection, if opened with the log-in.</param>
    public FtpSession(FtpSessionContext context, FtpPassiveConnector passive, FtpDataTicket? ahead)
    {
        _context = context;
        _opener = new FtpDataOpener(context, passive, ahead);
        _attributes = new FtpAttributes(context);
        // Its looks list folders above: were their refusals looked at too, each level would double the looks.
        var plain = new FtpLister(context, _opener, LookByPartsAsync);
        var lister = new FtpLister(context, _opener, LookByPartsAsync, new FtpLookUp(context, plain.ListAsync));
        var finder = new FtpFinder(context);
        _proofs = new FtpDirectoryProofs(context, _opener, lister, finder);
        _batches = new FtpBatchLister(context, _opener, lister, finder, _proofs);
        _lookUp = new FtpLookUp(context, ListAsync);
        _renamer = new FtpRenamer(context, _lookUp);
        _directories = new FtpDirectories(context, _lookUp);
        _runner = new FtpWorkRunner(context, _opener, _attributes, new FtpEntries(context), _lookUp, _renamer);
        // Text and compressed streams have no offsets that would fit the content's. FEAT leaves REST out on some servers that take it.
        var takesOffsets = context.Options.TransferType == FtpTransferType.Binary && !context.Deflates
            && context.Ladders.Offsets.IsOnFirst;
        _features = new TransferFeatures
        {
            Server = context.Profile.System is { } system ? $"{context.Profile.Banner} [{system}]" : context.Profile.Banner,
            ReadsAtOffset = context.Profile.RestStream && context.Ladders.Offsets.IsOnFirst,
            // REST, or APPE where REST is not offered.
            ContinuedUploads = takesOffsets,
            ContinuedDownloads = takesOffsets,
            SegmentedDownloads = context.Profile.RestStream && takesOffsets,
            // Other means do not always prove absence, and a separate look would follow the content.
            LooksBesideContent = context.TakesMlst && context.Pipelining == FtpPipelining.Batched,
            SetsModified = _attributes.SetsModified,
            SetsMode = true,
            ChangesInOrder = true,
            Hashes = [.. context.Profile.HashCommands.Keys],
        };
    }

    public override bool Usable => _context.Usable;

    /// <inheritdoc cref="FtpSessionContext.NeedsTls12"/>
    public bool NeedsTls12 => _context.NeedsTls12;

    public override TransferFeatures Features
    {
        get
        {
            var (precision, together, finds, changes, setsModified) =
                (TimePrecision, _batches.Together, _batches.FindsTogether, _context.ChangesTogether, _attributes.SetsModified);
            if (_features.TimePrecision != precision || _features.ListsTogether != together || _features.FindsTogether != finds
                || _features.ChangesTogether != changes || _features.SetsModified != setsModified)
            {
                _features = _features with
                {
                    TimePrecision = precision,
                    SetsModified = setsModified,
                    ListsTogether = together,
                    ListsInTurn = together > 1,
                    FindsTogether = finds,
                    ProvesFinds = _batches.ProvesFinds,
                    ProvesBesideFinds = _batches.ProvesBesideFinds,
                    FindsAll = _batches.FindsAll,
                    ChangesTogether = changes,
                };
            }
            return _features;
        }
    }

    private TimeSpan TimePrecision => _context.ListsByMlsd ? TimeSpan.FromSeconds(1) : TimeSpan.FromMinutes(1);

    public override ServerReport Describe() => FtpServerReport.Of(_context);

    public override Task RunAsync(IWorkSource work, CancellationToken abort) => _runner.RunAsync(work, abort);

    public override void GetReady(WorkKind kind) => _opener.OpenAhead(kind == WorkKind.Upload);

    public override async ValueTask<string?> TrySegmentsAsync(
        Func<CancellationToken, ValueTask<TransferSession?>> another, Func<CancellationToken, ValueTask<string>> temporary,
        CancellationToken ct)
    {
        if (!_context.Profile.RestStream || !_context.Ladders.Offsets.IsOnFirst) return "the server offers no offsets (REST).";
        if (_context.Options.TransferType != FtpTransferType.Binary || _context.Deflates)
            return "text and compressed streams have no offsets.";
        if (await another(ct).ConfigureAwait(false) is not FtpSession other) return "no second session was available for the test.";
        await other._runner.WaitForCutTransferAsync(ct).ConfigureAwait(false);
        return await GuardAsync(async () =>
        {
            var trial = new FtpSegmentTrial(_context, _opener, other._context, other._opener,
                _context.Expand(await temporary(ct).ConfigureAwait(false)));
            return await trial.RunAsync(ct).ConfigureAwait(false);
        }, ct).ConfigureAwait(false);
    }

    // A transfer's data connection ends with the control connection.
    public override void Break(TransferConnectionException reason) => _context.Control.Break(reason);

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        await _runner.WaitForCutTransferAsync(ct).ConfigureAwait(false);
        await foreach (var entry in _batches.ListAsync(directory, report, ct).ConfigureAwait(false)) yield return entry;
    }

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) =>
        GuardAsync(() => _lookUp.GetAsync(path, ct), ct);

    public override ValueTask<IReadOnlyList<EntryOutcome>> GetEntriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        GuardAsync(() => _lookUp.GetAllAsync(paths, ct), ct);

    public override ValueTask<ProvedEntry> GetProvedEntryAsync(string path, CancellationToken ct) =>
        _proofs.ServesBesideLook(path)
        ? GuardAsync(() => _proofs.LookAsync(path, token => _lookUp.GetAsync(path, token), ct), ct)
        : base.GetProvedEntryAsync(path, ct);

    public override ValueTask<IReadOnlyList<DirectoryProof>> ProveDirectoriesAsync(
        IReadOnlyList<RemoteEntry> entries, CancellationToken ct) =>
        GuardAsync([.. entries.Select(entry => entry.Path)], () => _proofs.ProveAsync(entries, ct), ct);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        GuardAsync(() => _directories.CreateAsync(paths, ct), ct);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        GuardAsync(() => _directories.DeleteAsync("DELE", paths, ct), ct);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) =>
        GuardAsync(() => _directories.RemoveAsync(paths, ct), ct);

    public override ValueTask<IReadOnlyList<string>> FindHiddenLinksAsync(string directory, CancellationToken ct) =>
        GuardAsync([directory], () => _proofs.FindHiddenLinksAsync(directory, ct), ct);

    public override async ValueTask RenameAsync(Renaming renaming, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        await SetBeforeRenameAsync(renaming, ct).ConfigureAwait(false);
        await GuardAsync([renaming.From, renaming.To], async () =>
        {
            var result = await ReplacementDriver.RunAsync(renaming, _renamer, _context.Renames, _context.Options.TimeProvider,
                ct).ConfigureAwait(false);
            if (result.Error is { } error)
                throw await _lookUp.ExplainMoveAsync(error, renaming.From, renaming.To, ct).ConfigureAwait(false);
            if (result.Aside is { } aside) Log.AsideLeft(_context.Logger, renaming.To, aside);
            return true;
        }, ct).ConfigureAwait(false);
    }

    public override async ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) =>
        await GuardAsync([path], async () =>
        {
            await _attributes.SetAsync(path, metadata, ct).ConfigureAwait(false);
            return true;
        }, ct).ConfigureAwait(false);

    public override ValueTask<IReadOnlyList<TransferException?>> SetModesAsync(IReadOnlyList<ModeSetting> settings, CancellationToken ct) =>
        GuardAsync(() => _attributes.SetModesAsync(settings, ct), ct);

    public override ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken ct) =>
        GuardAsync([settlement.Path], () => _attributes.SettleModeAsync(settlement, ct), ct);

    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct) =>
        GuardAsync([path], () => _attributes.HashAsync(path, algorithm, ct), ct);

    /// <summary>By AVBL (draft-peterson-streamlined-ftp-command-extensions); null where the server gives no number.</summary>
    public override async ValueTask<StorageSpace?> GetSpaceAsync(string path, CancellationToken ct) =>
        await GuardAsync([path], () => _attributes.AvailableSpaceAsync(path, ct), ct).ConfigureAwait(false) is { } bytes
            ? new StorageSpace(bytes) : null;

    /// <summary>Sends QUIT and closes, without waiting for the goodbye.</summary>
    public override async ValueTask DisposeAsync()
    {
        if (_context.Control.Usable && _context.Control.PendingCount == 0)
        {
            try
            {
                await _context.Control.SendAsync([new FtpCommand("QUIT")], CancellationToken.None).ConfigureAwait(false);
            }
            catch (TransferConnectionException)
            {
                // The connection was lost in this moment, and needs no goodbye.
            }
        }
        await _context.Control.DisposeAsync().ConfigureAwait(false);
        await _opener.DisposeAsync().ConfigureAwait(false);
        // The cut transfer ends now at the latest; its result does not matter any more.
        await _runner.WaitForCutTransferAsync(CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private ValueTask<IReadOnlyList<FtpLook>> LookByPartsAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _lookUp.LookByPartsAsync(paths, ct);

    /// <summary>Runs an operation on paths, if the server takes each of them whole.</summary>
    private ValueTask<T> GuardAsync<T>(IReadOnlyList<string> paths, Func<ValueTask<T>> operation, CancellationToken ct) =>
        GuardAsync(async () =>
        {
            await _context.Spaces.CheckAsync(paths, ct).ConfigureAwait(false);
            return await operation().ConfigureAwait(false);
        }, ct);

    /// <summary>Runs an operation. A caller's cancellation in mid-exchange leaves replies on the way and so breaks the session.</summary>
    private async ValueTask<T> GuardAsync<T>(Func<ValueTask<T>> operation, CancellationToken ct)
    {
        await _runner.WaitForCutTransferAsync(ct).ConfigureAwait(false);
        try
        {
            return await operation().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            BreakIfMidExchange();
            throw;
        }
    }

    private void BreakIfMidExchange()
    {
        if (_context.Control.PendingCount > 0)
            _context.Control.Break(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange."));
    }
}
