using System.Runtime.CompilerServices;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Lists several directories one after another, as files are transferred (see <see cref="FtpWorkRunner"/>): one write holds the commands of
/// all that wait, EPSV and MLSD of each, or CWD, EPSV and LIST. A listing alone, and one that the server refuses in a batch, goes by the
/// ladder of <see cref="FtpLister"/>.
/// </summary>
/// <remarks>Round trips a directory: 2 instead of 3; by LIST 3 instead of 5.</remarks>
internal sealed class FtpBatchLister
{
    private const int BatchSize = 8;

    // Longer directories are not found by STAT.
    private const int MostCompared = FtpReplyLines.Most / 2;

    // A flight waits so small a part of a round trip for the listings that begin when it is sent, and again while more come.
    private const int RoundTripToWait = 20;
    private const int MostWaits = 4;

    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpLister _lister;
    private readonly FtpListingTurns _turns;
    private readonly FtpFinder _finder;
    private readonly FtpDirectoryProofs _proofs;
    private bool _sentBatch; // last, and no STAT: names can forge its replies

    /// <param name="context">The session.</param>
    /// <param name="opener">Opens data connections.</param>
    /// <param name="lister">Lists one directory.</param>
    /// <param name="finder">Finds entries by STAT.</param>
    /// <param name="proofs">Distinguishes directories from links.</param>
    public FtpBatchLister(
        FtpSessionContext context, FtpDataOpener opener, FtpLister lister, FtpFinder finder, FtpDirectoryProofs proofs)
    {
        _proofs = proofs;
        _context = context;
        _opener = opener;
        _lister = lister;
        _turns = new FtpListingTurns(context.Control);
        _finder = finder;
    }

    /// <summary>The most listings that wait in one batch; 1: the server gets one listing's commands at a time.</summary>
    public int Together => _context.Pipelining == FtpPipelining.Batched && _opener.OpensInBatches && HasBatchRung ? BatchSize : 1;

    /// <summary>The most directories of one flight of STAT; 1: STAT is not used, or not yet.</summary>
    public int FindsTogether => _finder.IsTrusted ? _finder.Together : 1;

    /// <inheritdoc cref="FtpFinder.ShowsAll"/>
    public bool FindsAll => _finder.ShowsAll;

    /// <summary>Whether callers that prove directories may have them found.</summary>
    public bool ProvesFinds => _finder.Proves;

    /// <summary>Whether a flight of STAT proves the directories themselves.</summary>
    public bool ProvesBesideFinds => _finder.IsTrusted && FtpProofFlight.Serves(_context);

    // NLST needs further commands for each name. Names relative to the log-in folder need a way back.
    private bool HasBatchRung => !_context.Profile.HasRelativeNames && _lister.Rung <= FtpListCommand.List;

    // A command that has not worked yet may find no reply.
    private bool IsProved => _lister.Rung == FtpListCommand.List || _context.Host.ListsByMlsd;

    /// <summary>Lists a directory. Calls may overlap.</summary>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(
        string directory, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        var isFinished = false;
        var turn = new FtpListingTurn(directory, _finder.Serves(directory, report), report);
        await _turns.EnterAsync(turn, ct).ConfigureAwait(false);
        try
        {
            // Another listing's replies have ended the session.
            if (_context.Control.Fault is { Error: TransferError.Protocol } fault)
            {
                if (_sentBatch) _context.DisablePipelining(fault.Message);
                throw Lost(fault);
            }
            if (turn.Exchange is null) await _context.Spaces.CheckAsync([directory], ct).ConfigureAwait(false);
            var compares = turn.Finds && !_finder.IsTrusted && _finder.IsOffered;
            if (turn.Exchange is null && IsToFind(turn)) await FindAsync(turn, ct).ConfigureAwait(false);
            if (turn.Unproved is { } unproved) turn.Take((await _proofs.ProveAsync([unproved], ct).ConfigureAwait(false))[0]);
            if (report.Proof is not (null or DirectoryProof.Child))
            {
                isFinished = true;
                yield break;
            }
            if (turn.Found is { } found)
            {
                if (report.PresenceSuffices || report.NamesSuffice) report.DoubtAbsence();
                foreach (var entry in found) yield return entry;
                isFinished = true;
                yield break;
            }
            // Others wait for the same reason, and are listed in the same batch.
            if (turn.WasSought) await _turns.AgainAsync(turn, ct).ConfigureAwait(false);
            if (await SendAsync(turn).ConfigureAwait(false))
            {
                var entries = ReadAsync(turn, report, ct).GetAsyncEnumerator(ct);
                await using var ended = entries.ConfigureAwait(false);
                if (await BeginAsync(turn, entries).ConfigureAwait(false) is { } hasEntry)
                {
                    for (; hasEntry; hasEntry = await NextAsync(turn, entries).ConfigureAwait(false)) yield return entries.Current;
                    isFinished = true;
                    yield break;
                }
                await _turns.BeAloneAsync(turn, ct).ConfigureAwait(false);
            }
            // Sent in front of the listing, and answered there: the comparison takes no round trip of its own.
            var trial = compares ? _finder.TryAsync(directory, ct) : null;
            var names = compares ? new Dictionary<string, RemoteEntryType>(StringComparer.Ordinal) : null;
            try
            {
                await foreach (var entry in _lister.ListAsync(directory, report, ct).ConfigureAwait(false))
                {
                    names?.TryAdd(entry.Name, entry.Type);
                    if (names is { Count: > MostCompared }) names = null;
                    yield return entry;
                }
            }
            finally
            {
                if (trial is not null) await ((Task)trial).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
            if (trial is not null && await trial.ConfigureAwait(false) is var seen && names is { Count: > 0 })
                _finder.Compare(directory, seen, names);
            isFinished = true;
        }
        finally
        {
            await _turns.LeaveAsync(turn, isFinished).ConfigureAwait(false);
        }
    }

    private bool IsToFind(FtpListingTurn turn) => turn.Finds && _finder.IsTrusted;

    private async ValueTask FindAsync(FtpListingTurn first, CancellationToken ct)
    {
        await GatherAsync(ct).ConfigureAwait(false);
        var count = 1;
        FtpListingTurn[] batch = [first,
            .. _turns.TakeTogether(
                next => next.Finds && next.NeedsDescriptions == first.NeedsDescriptions && next.NeedsAll == first.NeedsAll
                    && count++ < _finder.Together)];
        IReadOnlyList<IReadOnlyList<RemoteEntry>?>? found = null;
        FtpListingTurn[] unproved = FtpProofFlight.Serves(_context) ? [.. batch.Where(turn => turn.Unproved is not null)] : [];
        RemoteEntry[] entries = [.. unproved.Select(turn => turn.Unproved!)];
        _sentBatch = false;
        try
        {
            var all = await _finder.FindAsync([.. batch.Select(turn => turn.Directory)], first.NeedsDescriptions,
                entries.Length > 0 ? new FtpProofFlight(_context, entries) : null, ct).ConfigureAwait(false);
            found = all.Entries;
            if (entries.Length > 0)
            {
                var proved = await _proofs.CompleteAsync(entries, all.Proofs, ct).ConfigureAwait(false);
                for (var i = 0; i < unproved.Length; i++) unproved[i].Take(proved[i]);
            }
            if (first.NeedsAll) found = await WithoutCutAsync(batch, found, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException e)
        {
            // Replies are on their way.
            _context.Control.Break(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange.", e));
            throw;
        }
        finally
        {
            for (var i = 0; i < batch.Length; i++) batch[i].Take(found?[i]);
        }
    }

    // Listings whose callers are about to ask share the flight: the next one would take them a round trip later.
    private async ValueTask GatherAsync(CancellationToken ct)
    {
        if (_context.Control.RoundTrip is not { } roundTrip) return;
        var before = -1;
        for (var i = 0; i < MostWaits && _turns.Waiting is var waiting && waiting > before && waiting < _finder.Together; i++)
        {
            before = waiting;
            await Task.Delay(roundTrip / RoundTripToWait, _context.Options.TimeProvider, ct).ConfigureAwait(false);
        }
    }

    // Some servers cut the lines of STAT without notice, and a directory with more than were seen whole may be one of these. The longest of
    // a flight is compared with a listing, and decides for all.
    private async ValueTask<IReadOnlyList<IReadOnlyList<RemoteEntry>?>> WithoutCutAsync(
        FtpListingTurn[] batch, IReadOnlyList<IReadOnlyList<RemoteEntry>?> found, CancellationToken ct)
    {
        var (entries, turn) = found.Zip(batch).MaxBy(some => some.First?.Count ?? 0);
        if (entries is null || _finder.MayShowAll(entries)) return found;
        var names = new Dictionary<string, RemoteEntryType>(StringComparer.Ordinal);
        var report = new ListingReport();
        try
        {
            await foreach (var entry in _lister.ListAsync(turn.Directory, report, ct).ConfigureAwait(false))
            {
                if (names.Count <= FtpReplyLines.Most) names.TryAdd(entry.Name, entry.Type);
            }
            if (report.Verdict == ListingVerdict.Complete) _finder.Compare(turn.Directory, entries, names);
        }
        catch (TransferException e) when (e is not TransferConnectionException && _context.Usable)
        {
            Log.ListingRefusedInBatch(_context.Logger, turn.Directory, e.Message.TrimEnd('.'));
        }
        return [.. found.Select(some => some is null || _finder.MayShowAll(some) ? some : null)];
    }

    // False: the listing sends its own commands.
    private async ValueTask<bool> SendAsync(FtpListingTurn first)
    {
        if (first.Exchange is not null) return true;
        if (Together == 1 || !IsProved || _turns.Waiting == 0 || !_context.Control.Usable) return false;
        var rung = _lister.RungOf(first.Directory);
        var room = Math.Min(_context.MostPipelinedBytes, _context.MostReadBytes);
        if (!TryJoin(first, rung, ref room)) return false;
        var count = 1;
        FtpListingTurn[] batch =
            [first, .. _turns.TakeTogether(
                next => !IsToFind(next) && next.Unproved is null && count++ < BatchSize && TryJoin(next, rung, ref room))];
        _sentBatch = true;
        try
        {
            // The caller of the first may stop, and other listings go on.
            var commands = batch.SelectMany(turn => Commands(turn, rung)).ToArray();
            using var replies = (await _context.Control.SendAsync(commands, CancellationToken.None).ConfigureAwait(false)).GetEnumerator();
            foreach (var turn in batch)
            {
                if (rung != FtpListCommand.Mlsd) turn.Change = replies.MoveNext() ? replies.Current : null;
                turn.Exchange!.Attach(replies);
                turn.IsSent = true;
            }
        }
        catch (TransferException e)
        {
            // Other listings, which count as sent, fail for the same reason.
            _context.Control.Break(e);
            throw;
        }
        return true;
    }

    private bool TryJoin(FtpListingTurn turn, FtpListCommand rung, ref int room)
    {
        if (_context.WhyUnsendable(turn.Directory) is not null || _lister.RungOf(turn.Directory) != rung) return false;
        var command = _lister.CommandOf(turn.Directory, rung);
        room -= _context.BytesOf(command) + _context.BytesOf(_opener.UsualCommand)
            + (rung == FtpListCommand.Mlsd ? 0 : _context.BytesOf(Change(turn)));
        if (room < 0) return false;
        turn.Join(new FtpExchange(_context, _opener, command, turn.Directory, sends: false), command);
        return true;
    }

    private IEnumerable<FtpCommand> Commands(FtpListingTurn turn, FtpListCommand rung) =>
        rung == FtpListCommand.Mlsd ? turn.Exchange!.Commands : [Change(turn), .. turn.Exchange!.Commands];

    private FtpCommand Change(FtpListingTurn turn) => new("CWD", _context.Expand(turn.Directory));

    private async IAsyncEnumerable<RemoteEntry> ReadAsync(
        FtpListingTurn turn, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        if (turn.Change is { } change)
        {
            var reply = await FtpReplyOrder.TakeAsync(_context, change, ct).ConfigureAwait(false);
            if (!reply.IsSuccess)
            {
                // What LIST lists now is another directory.
                await turn.Exchange!.DeclineAsync(ct).ConfigureAwait(false);
                throw ReplyErrors.ToException(reply, change.Command, turn.Directory, writes: false);
            }
        }
        var entries = _lister.ListAsync(
            turn.Directory, turn.Command, report, turn.Begin(), token => _turns.BeAloneAsync(turn, token), ct);
        await foreach (var entry in entries.ConfigureAwait(false)) yield return entry;
    }

    // Null: refused, and the ladder may know another way.
    private async ValueTask<bool?> BeginAsync(FtpListingTurn turn, IAsyncEnumerator<RemoteEntry> entries)
    {
        try
        {
            return await NextAsync(turn, entries).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException && !turn.IsInMidExchange && _context.Usable)
        {
            Log.ListingRefusedInBatch(_context.Logger, turn.Directory, e.Message.TrimEnd('.'));
            return null;
        }
    }

    private static TransferConnectionException Lost(TransferException reason) =>
        new(TransferError.Lost, reason.Message, reason) { IsTransient = true };

    // Servers that cannot take pipelining show protocol faults and missing replies.
    private async ValueTask<bool> NextAsync(FtpListingTurn turn, IAsyncEnumerator<RemoteEntry> entries)
    {
        try
        {
            return await entries.MoveNextAsync().ConfigureAwait(false);
        }
        catch (TransferConnectionException e) when (turn.IsSent && e.Error is TransferError.Protocol or TransferError.Timeout)
        {
            _context.DisablePipelining(e.Message, mayPass: e.Error == TransferError.Timeout);
            // The replies behind belong to other commands, too. All listings can be repeated on another session.
            var lost = Lost(e);
            _context.Control.Break(lost);
            throw lost;
        }
    }
}
