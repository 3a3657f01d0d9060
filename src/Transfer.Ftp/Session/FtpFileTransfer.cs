using System.Globalization;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Moves one file's content: STOR, APPE or RETR over one exchange, and what its end means.</summary>
internal sealed class FtpFileTransfer
{
    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;

    public FtpFileTransfer(FtpSessionContext context, FtpDataOpener opener)
    {
        _context = context;
        _opener = opener;
    }

    /// <summary>SIZE goes in front of a download's pair: it costs no round trip there, and tells whether all arrived.</summary>
    public bool AsksSize(FtpWork work) => work.Item is { Kind: WorkKind.Download, Verify: Verification.Size, End: long.MaxValue }
        && _context.Options.TransferType == FtpTransferType.Binary;

    public FtpExchange Prepare(FtpWork work)
    {
        var (upload, offset) = (work.Item.Kind == WorkKind.Upload, work.Item.Offset);
        // APPE continues a partial file where REST is not offered; it can only go on at the file's end (RFC 959 section 4.1.3).
        var verb = !upload ? "RETR" : offset > 0 && !_context.Profile.RestStream ? "APPE" : "STOR";
        // Of other ranges it is not known whether the file is that long, which a server may insist on.
        long? end = work.Item is { Kind: WorkKind.Download, IsSegment: true, End: var last } && last < work.Item.Content.Length ? last : null;
        return new FtpExchange(_context, _opener, new FtpCommand(verb, work.Target), work.Item.Path, upload, offset, end);
    }

    /// <summary>Runs one file's turn. Afterwards it is stored, discarded or ended.</summary>
    public async ValueTask RunAsync(FtpWork work, CancellationToken abort)
    {
        work.Started = true;
        var exchange = work.Exchange ??= Prepare(work);
        work.Stage = FtpWorkStage.Sent;
        if (AsksSize(work) && work.Announced is null)
            work.Announced = (await _context.Control.SendAsync([new FtpCommand("SIZE", work.Path)], abort).ConfigureAwait(false))[0];
        var announced = work.Announced is { } pending ? FtpReplyOrder.Check(_context, pending, await pending.FinalAsync(abort).ConfigureAwait(false)) : null;
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(abort, work.Item.Canceled);
        try
        {
            await exchange.OpenAsync(abort).ConfigureAwait(false);
        }
        catch (TransferException refusal) when (refusal is not TransferConnectionException)
        {
            // Nothing was touched, and what else is in this write was announced the same way: all of it comes again.
            if (exchange.FallsBack) work.Outcome = new WorkOutcome.Untouched();
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
            Discard(work, new TransferException(TransferError.Lost, "The transfer was cancelled.") { RemotePath = work.Item.Path, IsTransient = false });
        }
        catch (TransferException broken) when (broken is not TransferConnectionException)
        {
            if (_context.Control.Fault is { } fault) throw fault;
            // The data connection broke; the reply says why, if the server has a reason.
            var reply = await exchange.GiveUpAsync(abort).ConfigureAwait(false);
            Discard(work, reply.IsSuccess ? broken : exchange.Refusal(reply));
        }
    }

    private async ValueTask SendAsync(FtpWork work, FtpExchange exchange, CancellationToken stop, CancellationToken abort)
    {
        IContent content = _context.Options.TransferType == FtpTransferType.Ascii ? new AsciiContent(work.Item.Content) : work.Item.Content;
        work.Bytes = await ContentPump.SendAsync(work.Item, content, exchange.Data, stop).ConfigureAwait(false);
        await exchange.Data.CompleteWritesAsync(stop).ConfigureAwait(false);
        var reply = await exchange.FinalAsync(abort).ConfigureAwait(false);
        if (reply.IsSuccess) work.Stage = FtpWorkStage.Stored;
        else Discard(work, exchange.Refusal(reply));
    }

    private async ValueTask ReceiveAsync(FtpWork work, FtpExchange exchange, FtpReply? announced, CancellationToken stop, CancellationToken abort)
    {
        var item = work.Item;
        var ascii = _context.Options.TransferType == FtpTransferType.Ascii ? new AsciiContent(item.Content) : null;
        (work.Bytes, var ended) = await ContentPump.ReceiveAsync(item, ascii ?? item.Content, exchange.Data, stop).ConfigureAwait(false);
        if (ascii is not null) await ascii.FinishAsync(stop).ConfigureAwait(false);
        if (!ended)
        {
            await EndRangeAsync(work, exchange, stop, abort).ConfigureAwait(false);
            return;
        }
        var reply = await exchange.FinalAsync(abort).ConfigureAwait(false);
        if (!reply.IsSuccess)
        {
            Discard(work, exchange.Refusal(reply));
            return;
        }
        var arrived = item.Offset + work.Bytes;
        if (Size(announced) is { } size)
        {
            if (size != arrived)
            {
                Discard(work, new TransferException(TransferError.Integrity, $"{arrived} bytes arrived of a file of {size}.") { RemotePath = item.Path });
                return;
            }
            work.Verified = Verification.Size;
        }
        work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified);
    }

    /// <summary>All that was asked for is here: takes the transfer's own end where it is near, else has it cut.</summary>
    private async ValueTask EndRangeAsync(FtpWork work, FtpExchange exchange, CancellationToken stop, CancellationToken abort)
    {
        var (item, end) = (work.Item, work.Item.Offset + work.Bytes);
        // Nothing follows the last segment, unless the server takes no notice of REST: that shows here, for all of them.
        var isLast = item.IsSegment && end == item.Content.Length;
        // How the server takes its end does not matter to any other range.
        if (!isLast) work.Outcome = new WorkOutcome.Done(work.Bytes, Verification.Reply);
        // A segment in the midst of a file has no end near, and its window lets what follows trickle only.
        if (isLast || !item.IsSegment || exchange.End == end)
        {
            var (ended, excess) = await ContentPump.SkipRestAsync(exchange.Data, stop).ConfigureAwait(false);
            if (ended)
            {
                var reply = await exchange.FinalAsync(abort).ConfigureAwait(false);
                if (isLast && excess == 0)
                {
                    if (reply.IsSuccess) work.Outcome = new WorkOutcome.Done(work.Bytes, Verification.Reply);
                    else Discard(work, exchange.Refusal(reply));
                }
                if (!isLast || excess == 0) return;
            }
        }
        Log.RangeCut(_context.Logger, item.Path, end, exchange.Data.Waiting, exchange.Data.UnderWay);
        work.IsCut = true;
        if (isLast) Discard(work, new TransferException(TransferError.Integrity, $"More comes than the {end} bytes of the file: it has grown, or the server ignores offsets.") { RemotePath = item.Path });
    }

    /// <summary>The number of a 213 reply to SIZE (RFC 3659 section 4); null when the server does not say.</summary>
    public static long? Size(FtpReply? reply) =>
        reply is { Code: 213 } && long.TryParse(reply.Text.AsSpan().Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var size) ? size : null;

    private static void Discard(FtpWork work, TransferException error)
    {
        // A lost session is the runner's to handle, for all open items.
        if (error is TransferConnectionException) throw error;
        work.Discard(error);
    }
}
