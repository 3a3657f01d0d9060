using System.Globalization;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Moves one file's content by STOR, APPE or RETR over one exchange, and judges the end.</summary>
internal sealed class FtpFileTransfer
{
    // In a longer download, a round trip at the end is a small part.
    public const long ShortLength = 1 << 20;

    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpEntries _entries;

    public FtpFileTransfer(FtpSessionContext context, FtpDataOpener opener, FtpEntries entries)
    {
        _context = context;
        _opener = opener;
        _entries = entries;
    }

    /// <summary>
    /// The commands in front of a transfer's pair, where they cost no round trip. Uploads: MKD, where the folder may be missing. Downloads:
    /// SIZE, to verify the length; also the file's time, for a segment (all segments must be of one file), where the listing had only a
    /// rough one, and for a long file, which may change meanwhile.
    /// </summary>
    public IReadOnlyList<FtpCommand> LeadCommands(FtpWork work)
    {
        if (work.Item.Kind == WorkKind.Upload)
            return work.Item.Directory is { } folder ? [new FtpCommand("MKD", _context.Expand(folder))] : [];
        if (_context.Options.TransferType != FtpTransferType.Binary) return [];
        if (work.RequestsStamp) return _entries.StampCommands(work.Path);
        if (work.ComparesStamp) return FtpEntries.LongFileCommands(work.Path);
        return work.Item is { Verify: >= VerificationMode.Size, End: long.MaxValue } ? [new FtpCommand("SIZE", work.Path)] : [];
    }

    /// <summary>Returns the work's exchange, created on first use: it may take the one connection that was opened ahead.</summary>
    public FtpExchange Prepare(FtpWork work)
    {
        if (work.Exchange is { } prepared) return prepared;
        var (upload, offset) = (work.Item.Kind == WorkKind.Upload, work.Item.Offset);
        // APPE continues a partial file where REST is not offered, at the file's end only (RFC 959 section 4.1.3).
        var verb = !upload ? "RETR" : offset > 0 && !work.Item.IsSegment && !_context.Profile.RestStream ? "APPE" : "STOR";
        // Other ranges may be longer than the file, which a server may refuse.
        long? end = work.Item is { Kind: WorkKind.Download, IsSegment: true, End: var last } && last < work.Item.Content.Length
            ? last : null;
        var isShort = work.Item is { Kind: WorkKind.Download, IsSegment: false, End: long.MaxValue }
            && work.Item.Content.Length - offset <= ShortLength;
        return work.Exchange = new FtpExchange(_context, _opener, new FtpCommand(verb, work.Target), work.Item.AskedPath, upload, offset,
            end, isShort);
    }

    /// <summary>Runs one file's turn. Afterwards the file is stored, discarded or ended.</summary>
    public async ValueTask RunAsync(FtpWork work, CancellationToken abort)
    {
        work.Started = true;
        var exchange = Prepare(work);
        work.Stage = FtpWorkStage.Sent;
        if (exchange.PreparedFor > TimeSpan.Zero) work.Item.PreparedFor(exchange.PreparedFor);
        // A failed MKD shows when the file is stored.
        var announced = work is { Item.Kind: WorkKind.Upload, Announced.Count: > 0 }
            ? [] : await LeadAsync(work, abort).ConfigureAwait(false);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(abort, work.Item.Canceled);
        try
        {
            await exchange.OpenAsync(abort).ConfigureAwait(false);
        }
        catch (TransferException refusal) when (refusal is not TransferConnectionException)
        {
            // Nothing was touched, and the other transfers of this write were announced the same way: all of them run again.
            if (exchange.RetriesWithOlderForm) work.Outcome = new WorkOutcome.Untouched { Reason = refusal };
            else Discard(work, refusal);
            return;
        }
        try
        {
            if (work.Item.Kind == WorkKind.Upload) await SendAsync(work, exchange, stop.Token, abort).ConfigureAwait(false);
            else await ReceiveAsync(work, exchange, announced, stop.Token, abort).ConfigureAwait(false);
        }
        catch (ContentException local)
        {
            await exchange.GiveUpAsync(abort).ConfigureAwait(false);
            Discard(work, local.Error);
        }
        catch (OperationCanceledException) when (work.Item.Canceled.IsCancellationRequested && !abort.IsCancellationRequested)
        {
            await exchange.GiveUpAsync(abort).ConfigureAwait(false);
            Discard(work, Canceled(work.Item));
        }
        catch (TransferException broken) when (broken is not TransferConnectionException)
        {
            if (_context.Control.Fault is { } fault) throw fault;
            // The data connection broke; the reply may hold the server's reason.
            var reply = await exchange.GiveUpAsync(abort).ConfigureAwait(false);
            Discard(work, reply.IsDone ? broken : exchange.Refusal(reply));
        }
    }

    private async ValueTask SendAsync(FtpWork work, FtpExchange exchange, CancellationToken stop, CancellationToken abort)
    {
        IContent content = _context.Options.TransferType == FtpTransferType.Ascii ? new AsciiContent(work.Item.Content) : work.Item.Content;
        work.Bytes = await ContentPump.SendAsync(work.Item, content, exchange.Data, _context.Buffers, stop).ConfigureAwait(false);
        await exchange.Data.CompleteWritesAsync(stop).ConfigureAwait(false);
        work.IsAllMoved = content == work.Item.Content;
        var reply = await exchange.GetFinalReplyAsync(abort).ConfigureAwait(false);
        if (reply.IsDone) work.Stage = FtpWorkStage.Stored;
        else Discard(work, exchange.Refusal(reply));
    }

    private async ValueTask<IReadOnlyList<FtpReply>> LeadAsync(FtpWork work, CancellationToken ct)
    {
        var replies = new List<FtpReply>();
        foreach (var command in LeadCommands(work))
        {
            if (work.Announced.Count == replies.Count)
                work.Announced.AddRange(await _context.Control.SendAsync([command], ct).ConfigureAwait(false));
            var pending = work.Announced[replies.Count];
            replies.Add(await FtpReplyOrder.TakeAsync(_context, pending, ct).ConfigureAwait(false));
        }
        return replies;
    }

    private async ValueTask ReceiveAsync(FtpWork work, FtpExchange exchange, IReadOnlyList<FtpReply> announced, CancellationToken stop,
        CancellationToken abort)
    {
        var item = work.Item;
        var ascii = _context.Options.TransferType == FtpTransferType.Ascii ? new AsciiContent(item.Content) : null;
        var length = ascii is null ? LengthOf(work, announced) : long.MaxValue;
        exchange.Data.TakesUnconfirmedEnd = true;
        (work.Bytes, var ended, var exceeded) = await ContentPump.ReceiveAsync(item, ascii ?? item.Content, exchange.Data, length,
            _context.Buffers, stop).ConfigureAwait(false);
        if (exceeded)
        {
            // The server's reaction to the early end does not matter any more.
            Log.LengthExceeded(_context.Logger, item.Path, length);
            work.Outcome = new WorkOutcome.Failed(
                new TransferException(TransferError.Integrity,
                    $"The server sends more than the {length} bytes of the file.")
                { RemotePath = item.Path })
            { Exceeded = length };
            work.IsCut = true;
            return;
        }
        if (ascii is not null)
        {
            await ContentPump.FinishAsync(ascii, stop).ConfigureAwait(false);
            // Local bytes, not those of the wire.
            work.Bytes = ascii.Position;
        }
        if (!ended)
        {
            await EndRangeAsync(work, exchange, announced, stop, abort).ConfigureAwait(false);
            return;
        }
        var arrived = item.Offset + work.Bytes;
        var stamp = StampOf(work, announced);
        var told = !item.IsSegment && announced.Count > 0 ? Whole(stamp?.Length ?? Size(announced[0]), item) : null;
        var doubt = exchange.Data.EndDoubt;
        // A listing's 0 counts as unknown; the length of a file that is read back is exact.
        var before = item is { Announced: > 0 } or { Verify: < VerificationMode.Size } ? item.Announced : null;
        if (doubt is not null && (ascii is not null || (told ?? before) != arrived)) throw doubt;
        // An end in doubt needs the server's reply.
        work.IsAllMoved = doubt is null && ascii is null && !item.IsSegment && (told ?? arrived) == arrived;
        var reply = await exchange.GetFinalReplyAsync(abort).ConfigureAwait(false);
        if (!reply.IsDone)
        {
            Discard(work, exchange.Refusal(reply));
            return;
        }
        if (doubt is not null) WarnOfEnd(doubt);
        if (told is { } size)
        {
            if (size != arrived)
            {
                work.Outcome = new WorkOutcome.Failed(
                    new TransferException(TransferError.Integrity,
                        $"{arrived} bytes arrived of a file of {size}.")
                    { RemotePath = item.Path })
                { Arrived = arrived };
                return;
            }
            work.Verified = VerificationMode.Size;
            _context.Host.NoteOffset(item.Offset);
        }
        if (work.ComparesStamp && stamp is not null && work.Bytes > ShortLength) work.Stage = FtpWorkStage.Received;
        else work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified) { Source = work.RequestsStamp ? stamp : null };
    }

    // The length that the server has just given, else an earlier one; a segment's end is known anyway.
    private long LengthOf(FtpWork work, IReadOnlyList<FtpReply> announced)
    {
        var item = work.Item;
        if (item.IsSegment || item.End != long.MaxValue || item.Verify < VerificationMode.Size) return long.MaxValue;
        var told = announced.Count == 0 ? null : Whole(StampOf(work, announced)?.Length ?? Size(announced[0]), item);
        if (told >= item.Offset) return told.Value;
        // Some listings show length 0 for files with content: 0 counts as unknown.
        return told is null && item.Announced is > 0 and var before && before >= item.Offset ? before : long.MaxValue;
    }

    // Some servers count in 32 bits in SIZE, and not in listings.
    private static long? Whole(long? told, WorkItem item) =>
        item.Announced is > int.MaxValue and var listed && told < listed
        && ((listed - told) % (1L << 32) == 0 || told is int.MaxValue or uint.MaxValue) ? listed : told;

    /// <summary>Ends a transfer with its range complete: awaits the end where that is near, else has the transfer cut.</summary>
    private async ValueTask EndRangeAsync(FtpWork work, FtpExchange exchange, IReadOnlyList<FtpReply> announced, CancellationToken stop,
        CancellationToken abort)
    {
        var (item, end) = (work.Item, work.Item.Offset + work.Bytes);
        // No byte follows the last segment, unless the server ignores REST: that shows here, for all segments.
        var isLast = item.IsSegment && end == item.Content.Length;
        var stamp = StampOf(work, announced);
        var done = new WorkOutcome.Done(work.Bytes, VerificationMode.Reply) { Source = stamp };
        // The server's reaction to the end does not matter to any other range.
        if (!isLast)
        {
            work.Outcome = done;
            _context.Ladders.Confirm();
        }
        // A segment in the midst of a file has no end near, and its window lets the rest only trickle in.
        var (ended, excess) = isLast || !item.IsSegment || exchange.End == end
            ? await ContentPump.SkipRestAsync(exchange.Data, _context.Buffers, stop).ConfigureAwait(false)
            : (false, 0);
        if (ended)
        {
            var reply = await exchange.GetFinalReplyAsync(abort).ConfigureAwait(false);
            if (!isLast) return;
            if (excess == 0)
            {
                var doubt = exchange.Data.EndDoubt;
                if (!reply.IsDone)
                {
                    Discard(work, exchange.Refusal(reply));
                }
                else if (doubt is not null && (stamp?.Length ?? end) != end)
                {
                    Discard(work, doubt);
                }
                else
                {
                    if (doubt is not null) WarnOfEnd(doubt);
                    _context.Host.NoteOffset(item.Offset);
                    work.Outcome = done;
                }
                return;
            }
        }
        else
        {
            Log.RangeCut(_context.Logger, item.Path, end, exchange.Data.Waiting, exchange.Data.UnderWay);
            work.IsCut = true;
            if (!isLast) return;
        }
        // A file that was longer before this transfer began has grown; else this server gets no more offsets.
        if (stamp?.Length is not { } length || length <= end)
            _context.Ladders.Offsets.Leave(FtpOffer.Used, "more came than was asked for");
        Discard(work,
            new TransferException(TransferError.Integrity,
                $"More bytes came than the {end} of the file: the file has grown, or the server ignores offsets.")
            { RemotePath = item.Path });
    }

    // The server says that it has sent all, and all is as long as it said before: only the end was not confirmed.
    private void WarnOfEnd(TransferException doubt)
    {
        if (_context.Host.NoteUnconfirmedEnd())
            Log.EndUnconfirmed(_context.Logger, _context.Control.Settings.Host, doubt.Message.TrimEnd('.'));
    }

    /// <summary>The error of an item that was cancelled.</summary>
    public static TransferException Canceled(WorkItem item) => new(TransferError.Lost, "The transfer was cancelled.")
    {
        RemotePath = item.AskedPath,
        IsTransient = false,
    };

    /// <summary>The number of a 213 reply to SIZE (RFC 3659 section 4); null: no number.</summary>
    public static long? Size(FtpReply? reply) =>
        reply is { Code: 213 }
        && long.TryParse(reply.Text.AsSpan().Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var size) ? size : null;

    private FileStamp? StampOf(FtpWork work, IReadOnlyList<FtpReply> announced) =>
        (work.RequestsStamp || work.ComparesStamp) && announced.Count > 0 ? _entries.Stamp(announced) : null;

    private void Discard(FtpWork work, TransferException error)
    {
        // The runner handles a lost session, for all open items.
        if (error is TransferConnectionException) throw error;
        work.Discard(MayRefuseName(work, error) ? ReplacementDriver.WithDirectWay(error) : error);
        if (work.Item is { Kind: WorkKind.Upload, IsSegment: true, Offset: > 0 }) _context.GiveUp(FtpSessionContext.OffsetLeft);
    }

    // The temporary name alone may be refused: servers of data sets take few names, and drop boxes may take certain ones. The servers that
    // are known have 553 and 501 for that.
    private bool MayRefuseName(FtpWork work, TransferException error) =>
        (error.ServerCode is 501 or 553
            || error.ServerCode is 500 or 502 or 504 or 550 or 551 && _context.Profile.Flavor == FtpFlavor.Unknown)
        && work is { Item: { Kind: WorkKind.Upload, IsSegment: false }, TemporaryPath: not null };
}
