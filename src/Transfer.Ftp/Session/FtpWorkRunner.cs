using Transfer.Ftp.Protocol;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Runs work items in batches. One write publishes the files of the batches before (RNFR, RNTO); the next holds for each new file the pair
/// EPSV + STOR, SIZE and attributes. Nothing is sent while a transfer runs, and no RNTO before the file's own 226 and SIZE were read: a
/// server runs a pre-sent RNTO even after a failed STOR. A batch that is likely to have a successor ends with the successor's EPSV, so that
/// its first data connection opens beside the publishing.
/// </summary>
/// <remarks>Round trips a file: 2. Greedy batches would starve other sessions, hence the small maximum.</remarks>
internal sealed class FtpWorkRunner
{
    private const int BatchSize = 8;

    /// <summary>EPSV and its line end, in bytes.</summary>
    private const int AheadLength = 6;

    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpPublisher _publisher;
    private readonly FtpFileTransfer _transfer;
    private readonly FtpLookUp _lookUp;
    private readonly FtpOffsetProof _offsets;
    private readonly FtpSourceCheck _sources;

    /// <summary>The items taken and not completed yet, in order.</summary>
    private readonly List<FtpWork> _open = [];

    private Task _cut = Task.CompletedTask;

    public FtpWorkRunner(FtpSessionContext context, FtpDataOpener opener, FtpAttributes attributes, FtpEntries entries, FtpLookUp lookUp,
        FtpRenamer renamer)
    {
        _context = context;
        _opener = opener;
        _lookUp = lookUp;
        _publisher = new FtpPublisher(context, attributes, lookUp, renamer);
        _transfer = new FtpFileTransfer(context, opener, entries);
        _offsets = new FtpOffsetProof(context, opener, lookUp);
        _sources = new FtpSourceCheck(context, entries);
    }

    /// <summary>
    /// Waits until the server has ended a transfer that was cut. Only the next command needs that wait: nothing may be sent before.
    /// </summary>
    /// <exception cref="TransferConnectionException">The transfer did not end: the session is broken.</exception>
    public Task WaitForCutTransferAsync(CancellationToken ct) => _cut.WaitAsync(ct);

    public async Task RunAsync(IWorkSource source, CancellationToken abort)
    {
        try
        {
            await RunToTheEndAsync(source, abort).ConfigureAwait(false);
        }
        catch (TransferConnectionException fault)
        {
            // Servers that can't take pipelining show protocol faults and missing replies.
            if (fault.Error == TransferError.Protocol) _context.DisablePipelining(fault.Message);
            else if (fault.Error == TransferError.Timeout && RepliesAreMissing) _context.DisablePipelining(fault.Message, mayPass: true);
            if (_open.Exists(work => work.Stage == FtpWorkStage.Publishing)) _context.NoteUnansweredRename(isFirst: false, fault);
            FailOpenItems(fault);
        }
        catch (Exception error)
        {
            FailOpenItems(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange.", error));
            throw;
        }
    }

    private async Task RunToTheEndAsync(IWorkSource source, CancellationToken abort)
    {
        var taken = new WorkItem[BatchSize];
        while (true)
        {
            abort.ThrowIfCancellationRequested();
            var count = 0;
            if (_context.Usable)
            {
                var take = source.TakeAsync(taken.AsMemory(0, MaxBatchSize), abort);
                // The source may wait for items that are still open here.
                if (!take.IsCompleted) await FinishOpenItemsAsync(abort).ConfigureAwait(false);
                count = await take.ConfigureAwait(false);
            }
            if (count > 0)
            {
                await RunBatchAsync(taken.AsSpan(0, count), source.MayHaveMore, abort).ConfigureAwait(false);
                continue;
            }
            if (_open.Count == 0) break;
            await FinishOpenItemsAsync(abort).ConfigureAwait(false);
        }
        await _opener.DisposeAsync().ConfigureAwait(false);
    }

    private bool RepliesAreMissing =>
        _open.Any(work => work.Stage == FtpWorkStage.Stored || work is { Stage: FtpWorkStage.Sent, Started: false });

    private int MaxBatchSize => _context.PipeliningOf(sends: true) == FtpPipelining.Batched
        && _context.Options.DataMode == FtpDataMode.Passive ? BatchSize : 1;

    private Task RunBatchAsync(ReadOnlySpan<WorkItem> items, bool moreMayCome, CancellationToken abort)
    {
        var batch = new List<FtpWork>(items.Length);
        foreach (var item in items)
        {
            if (_context.WhyUnsendable(item.Path) is { } reason)
            {
                item.Complete(new WorkOutcome.Failed(reason));
                continue;
            }
            if (item.Verify == VerificationMode.Hash && _context.Options.TransferType != FtpTransferType.Binary)
            {
                item.Complete(
                    new WorkOutcome.Failed(new TransferException(TransferError.Unsupported,
                        $"{item.AskedPath}: converted content has another hash at the server.")
                    { RemotePath = item.AskedPath }));
                continue;
            }
            if (TryExpand(item, out var path, out var temporary) is { } unknown)
            {
                item.Complete(new WorkOutcome.Failed(unknown));
                continue;
            }
            var work = new FtpWork(item, path, temporary)
            {
                // One command at a time the stamp would cost a round trip.
                RequestsStamp = item.IsSegment || item.WantsTime && _context.Pipelining != FtpPipelining.Off,
                ComparesStamp = _sources.IsNeeded(item),
                TargetLook = LooksAtTarget(item) ? _lookUp.LookCommands(item.Path) : [],
                Mode = item is
                {
                    Kind: WorkKind.Upload, ReplacedPath: { } replaced, TemporaryPath: { } written, IsSegment: false,
                    Metadata: not { Mode: not null }
                }
                    ? new FtpFileMode(_context, _context.Expand(written), _context.Expand(replaced)) : null,
            };
            batch.Add(work);
            _open.Add(work);
        }
        return RunInWritesAsync(batch, moreMayCome, abort);
    }

    // Where the server does not say which folder is the log-in folder, only names from the root on are known.
    private TransferException? TryExpand(WorkItem item, out string path, out string? temporary)
    {
        (path, temporary) = (item.Path, item.TemporaryPath);
        try
        {
            path = _context.Expand(path);
            temporary = temporary is null ? null : _context.Expand(temporary);
            return null;
        }
        catch (TransferException unknown)
        {
            return unknown;
        }
    }

    private bool LooksAtTarget(WorkItem item) => item is { TemporaryPath: not null, IsSegment: false }
        && (item.MustSeeTarget || item.Replace && _context.RenamesOf(item.Path) == ReplacementKnowledge.NeedsAside);

    /// <summary>Runs items together as far as their commands may go in one write.</summary>
    private async Task RunInWritesAsync(List<FtpWork> batch, bool moreMayCome, CancellationToken abort)
    {
        await RefuseCutNamesAsync(batch, abort).ConfigureAwait(false);
        await RefuseIgnoredOffsetsAsync(batch, abort).ConfigureAwait(false);
        for (var start = 0; start < batch.Count;)
        {
            await WaitForCutTransferAsync(abort).ConfigureAwait(false);
            await _opener.PrepareAsync(abort).ConfigureAwait(false);
            // Another session may turn the host serial at any moment: the mode of this write is decided once.
            var mode = ModeOf(batch[start].Item);
            var count = HowManyFit(batch, start, mode);
            // A file moved step by step would keep the files before from their names until its own end.
            if ((count == 0 || mode == FtpPipelining.Off) && OpenItemsSent.Any())
            {
                await FinishOpenItemsAsync(abort).ConfigureAwait(false);
                continue;
            }
            count = Math.Max(1, count);
            var write = batch.GetRange(start, count);
            start += count;
            batch.AddRange(await RunBatchAsync(write, mode, moreMayCome || start < batch.Count, abort).ConfigureAwait(false));
        }
    }

    private async Task RefuseCutNamesAsync(List<FtpWork> batch, CancellationToken abort)
    {
        if (!batch.Exists(work => FtpSpaces.Has(work.Item.Path))) return;
        await WaitForCutTransferAsync(abort).ConfigureAwait(false);
        await _context.Spaces.ProveAsync(batch.Select(work => work.Item.Path), abort).ConfigureAwait(false);
        foreach (var work in batch)
        {
            if (_context.Spaces.WhyRefused(work.Item.Path) is { } refusal) work.Outcome = new WorkOutcome.Failed(refusal);
            CompleteIfEnded(work);
        }
        batch.RemoveAll(work => work.Outcome is not null);
    }

    private async Task RefuseIgnoredOffsetsAsync(List<FtpWork> batch, CancellationToken abort)
    {
        foreach (var work in batch)
        {
            if (!_offsets.IsNeeded(work.Item)) continue;
            // Nothing may be sent beside other transfers, and no item of the batches before has any.
            await WaitForCutTransferAsync(abort).ConfigureAwait(false);
            work.Outcome = await _offsets.RunAsync(work.Item, work.Path, abort).ConfigureAwait(false);
            if (IsContradicted(work)) work.Outcome = await _offsets.RunAsync(work.Item, work.Path, abort).ConfigureAwait(false);
            CompleteIfEnded(work);
        }
        batch.RemoveAll(work => work.Outcome is not null);
    }

    /// <summary>
    /// The pipelining for an item. A STOR behind a refused REST would begin the file at 0 and cut off the other segments: so STOR waits for
    /// the reply to REST.
    /// </summary>
    private FtpPipelining ModeOf(WorkItem item) =>
        item is { Kind: WorkKind.Upload, IsSegment: true, Offset: > 0 } ? FtpPipelining.Off
        : _context.PipeliningOf(item.Kind == WorkKind.Upload);

    /// <summary>The number of items with commands under way together, behind those that end the batches before.</summary>
    private int HowManyFit(List<FtpWork> batch, int start, FtpPipelining mode)
    {
        if (mode != FtpPipelining.Batched || MaxBatchSize == 1) return 1;
        var end = start;
        var room = Math.Min(_context.MostPipelinedBytes,
            _context.MostReadBytes - Length(OpenItemsSent.SelectMany(NextCommands))) - AheadLength;
        while (end < batch.Count && (room -= Length(Commands(batch[end], mode))) >= 0) end++;
        // An item of the next write takes the connection that this write will have announced.
        if (end < batch.Count && end > start) batch[end].Exchange = null;
        return end - start;
    }

    private int Length(IEnumerable<FtpCommand> commands) => commands.Sum(_context.BytesOf);

    private IEnumerable<FtpWork> OpenItemsSent => _open.Where(work => work.Stage != FtpWorkStage.Taken);

    /// <summary>The commands of an item in a batch.</summary>
    private IEnumerable<FtpCommand> Commands(FtpWork work, FtpPipelining mode) =>
    [
        .. _transfer.LeadCommands(work),
        .. _transfer.Prepare(work).Commands,
        .. Checks(work, mode),
    ];

    /// <summary>Returns SIZE and attribute commands, which arrive during the transfer: only recognised servers take that well.</summary>
    private IReadOnlyList<FtpCommand> Checks(FtpWork work, FtpPipelining mode) =>
        mode == FtpPipelining.Batched && work.Item.Kind == WorkKind.Upload ? _publisher.CheckCommands(work) : [];

    /// <returns>The files that are to be read once more.</returns>
    private async Task<List<FtpWork>> RunBatchAsync(
        List<FtpWork> batch, FtpPipelining mode, bool announcesNext, CancellationToken abort)
    {
        PendingReply? next = null;
        var repeated = new List<FtpWork>();
        try
        {
            if (mode != FtpPipelining.Off) next = await SendBatchAsync(batch, mode, announcesNext, abort).ConfigureAwait(false);
            foreach (var work in batch)
            {
                await _transfer.RunAsync(work, abort).ConfigureAwait(false);
                await ExplainAsync(work, abort).ConfigureAwait(false);
                if (work.Stage == FtpWorkStage.Stored && work.Pending.Count > 0)
                    await _publisher.VerifyAsync(work, abort).ConfigureAwait(false);
                if (IsContradicted(work)) repeated.Add(Repeat(work));
                else CompleteIfEnded(work);
                if (!work.IsCut) continue;
                _cut = CutAsync(work.Exchange!);
                if (work != batch[^1]) await WaitForCutTransferAsync(abort).ConfigureAwait(false);
            }
        }
        finally
        {
            foreach (var work in batch)
            {
                if (work is { IsCut: false, Exchange: { } exchange }) await exchange.DisposeAsync().ConfigureAwait(false);
            }
        }
        if (next is not null) _opener.OpenAhead(batch[^1].Item.Kind == WorkKind.Upload, next);
        // One command at a time means one file at a time, to its end.
        if (mode == FtpPipelining.Off || _open.Any(work => work.Stage == FtpWorkStage.Blocked))
            await FinishOpenItemsAsync(abort).ConfigureAwait(false);
        return repeated;
    }

    // A file that one reply calls absent and a later one shows may have been stored in between, by another session: it is read anew.
    private static bool IsContradicted(FtpWork work) =>
        work is { IsRepeated: false, Item.Kind: WorkKind.Download, Exchange: null or { HasBegun: false } }
        && work.Outcome is WorkOutcome.Failed { Error: var error } && FtpLookUp.IsContradicted(error);

    private FtpWork Repeat(FtpWork work) => _open[_open.IndexOf(work)] = work.Repeat();

    // This ends with the session at the latest.
    private static async Task CutAsync(FtpExchange exchange)
    {
        await using var end = exchange.ConfigureAwait(false);
        await exchange.GiveUpAsync(CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Sends the commands that end the batches before, then those of the new one, and reads the former's replies.</summary>
    /// <returns>The pending reply that announces the next batch's first connection; null: not requested.</returns>
    private async Task<PendingReply?> SendBatchAsync(List<FtpWork> batch, FtpPipelining mode, bool announcesNext, CancellationToken abort)
    {
        var ending = OpenItemsSent.ToArray();
        var commands = new List<FtpCommand>();
        var counts = AppendNextCommands(ending, commands);
        // In a separate write, so that the new batch begins a segment.
        using var ended = (await _context.Control.SendAsync(commands, abort).ConfigureAwait(false)).GetEnumerator();
        for (var i = 0; i < ending.Length; i++) Collect(ending[i].Pending, ended, counts[i]);

        // From here on the server may have acted on any of them.
        foreach (var work in batch) work.Stage = FtpWorkStage.Sent;
        // Cut transfers are ended by ABOR and the like, behind which no command may wait.
        var next = announcesNext && !batch.Any(work => work.Item.IsSegment) ? _opener.AheadCommand : null;
        commands = [.. batch.SelectMany(work => Commands(work, mode))];
        if (next is { } ahead) commands.Add(ahead);
        using var replies = (await _context.Control.SendAsync(commands, abort).ConfigureAwait(false)).GetEnumerator();
        foreach (var work in batch)
        {
            Collect(work.Announced, replies, _transfer.LeadCommands(work).Count);
            work.Exchange!.Attach(replies);
            Collect(work.Pending, replies, Checks(work, mode).Count);
        }
        var announced = next is null ? null : Next(replies);
        await AdvanceAllAsync(ending, abort).ConfigureAwait(false);
        return announced;
    }

    /// <summary>Ends all open items.</summary>
    private async Task FinishOpenItemsAsync(CancellationToken abort)
    {
        while (OpenItemsSent.Any())
        {
            await WaitForCutTransferAsync(abort).ConfigureAwait(false);
            var ending = OpenItemsSent.ToArray();
            foreach (var work in ending.Where(work => work.Stage == FtpWorkStage.Blocked))
            {
                await _publisher.UnblockAsync(work, abort).ConfigureAwait(false);
                CompleteIfEnded(work);
            }
            ending = [.. OpenItemsSent];
            var commands = new List<FtpCommand>();
            var counts = AppendNextCommands(ending, commands);
            using var replies = (await SendAllAsync(commands, abort).ConfigureAwait(false)).GetEnumerator();
            for (var i = 0; i < ending.Length; i++) Collect(ending[i].Pending, replies, counts[i]);
            await AdvanceAllAsync(ending, abort).ConfigureAwait(false);
        }
    }

    private IReadOnlyList<FtpCommand> NextCommands(FtpWork work) =>
        work.Stage == FtpWorkStage.Received ? FtpSourceCheck.Commands(work) : _publisher.NextCommands(work);

    /// <summary>Adds the commands of each item's stage and moves the item to the stage after sending.</summary>
    /// <returns>The number of commands of each item.</returns>
    private int[] AppendNextCommands(FtpWork[] ending, List<FtpCommand> commands)
    {
        var counts = new int[ending.Length];
        for (var i = 0; i < ending.Length; i++)
        {
            var next = NextCommands(ending[i]);
            commands.AddRange(next);
            counts[i] = next.Count;
            FtpPublisher.MarkSent(ending[i]);
        }
        return counts;
    }

    private async Task AdvanceAllAsync(IEnumerable<FtpWork> ending, CancellationToken abort)
    {
        foreach (var work in ending)
        {
            if (work.Stage == FtpWorkStage.Received) await _sources.EndAsync(work, abort).ConfigureAwait(false);
            else await _publisher.AdvanceAsync(work, abort).ConfigureAwait(false);
            if (work.Item.Kind == WorkKind.Upload) await ExplainAsync(work, abort).ConfigureAwait(false);
            CompleteIfEnded(work);
        }
    }

    // Nothing may be sent beside other transfers.
    private async ValueTask ExplainAsync(FtpWork work, CancellationToken abort)
    {
        if (_context.Control is not { Usable: true, PendingCount: 0 }) return;
        if (work.Outcome is not WorkOutcome.Failed { Publishing: false } failed) return;
        var error = work.Item.Kind == WorkKind.Download
            ? await _lookUp.ExplainAsync(failed.Error, work.Item.Path, abort).ConfigureAwait(false)
            : await _lookUp.ExplainWriteAsync(failed.Error, work.Item.TemporaryPath ?? work.Item.Path, abort).ConfigureAwait(false);
        work.Outcome = failed with { Error = error };
    }

    private async ValueTask<IReadOnlyList<PendingReply>> SendAllAsync(List<FtpCommand> commands, CancellationToken ct)
    {
        if (commands.Count == 0) return [];
        if (_context.Pipelining != FtpPipelining.Off) return await _context.Control.SendAsync(commands, ct).ConfigureAwait(false);
        var pending = new List<PendingReply>(commands.Count);
        foreach (var command in commands)
        {
            pending.AddRange(await _context.Control.SendAsync([command], ct).ConfigureAwait(false));
            await pending[^1].GetFinalReplyAsync(ct).ConfigureAwait(false);
        }
        return pending;
    }

    private void CompleteIfEnded(FtpWork work)
    {
        if (work.Outcome is not { } outcome) return;
        _open.Remove(work);
        work.Item.Complete(outcome);
    }

    private void FailOpenItems(TransferConnectionException fault)
    {
        _context.Control.Break(fault);
        foreach (var work in _open.ToArray())
        {
            _open.Remove(work);
            work.Item.Complete(work.Outcome ?? work.OutcomeIfLost(fault));
        }
    }

    private static void Collect(List<PendingReply> into, IEnumerator<PendingReply> replies, int count)
    {
        for (var i = 0; i < count; i++) into.Add(Next(replies));
    }

    private static PendingReply Next(IEnumerator<PendingReply> replies) =>
        replies.MoveNext() ? replies.Current : throw new InvalidOperationException("Fewer replies are waiting than commands were sent.");
}
