using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// A proof that downloads begin at their offsets (RFC 3659 section 5). Some servers answer 350 to REST and send the file from its first
/// byte, which nothing shows where a range ends before the file. A server that is not known by name is asked for the last byte of a file
/// before its first range: as many bytes as the file has come only from such a server. So is every server before its first range that
/// 32 bits do not count: builds with such numbers have the names of others.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="opener">Opens the data connection.</param>
/// <param name="lookUp">Reports the length of the file.</param>
internal sealed class FtpOffsetProof(FtpSessionContext context, FtpDataOpener opener, FtpLookUp lookUp)
{
    // A file may grow by as many bytes as it has, or by very many, between the look and the transfer.
    private const int Tries = 3;

    // More in one round trip is hardly growth.
    private const int Most = 64 << 10;

    /// <summary>
    /// Whether an item needs the proof first. Segments of one file prove each other: the last one shows further bytes. So does the end of a
    /// file whose length is known and compared.
    /// </summary>
    public bool IsNeeded(WorkItem item) => item is { Kind: WorkKind.Download, Offset: > 0, IsSegment: false }
        && (context.Profile.Flavor == FtpFlavor.Unknown || FtpHostState.IsLong(item.Offset)) && !context.Host.TakesOffset(item.Offset)
        && item is not { End: long.MaxValue, Verify: >= VerificationMode.Size, Announced: > 0 };

    /// <summary>Proves the server by an item's own file. A file of unknown length proves nothing, and is read all the same.</summary>
    /// <returns>The outcome of an item that cannot run; null: the item can.</returns>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    public async ValueTask<WorkOutcome?> RunAsync(WorkItem item, string path, CancellationToken abort)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(abort, item.Canceled);
        try
        {
            for (var tried = 0; tried < Tries && context.Ladders.Offsets.IsOnFirst; tried++)
            {
                if (await LengthAsync(item, abort).ConfigureAwait(false) is not { } length) return null;
                if (length <= item.Offset) return new WorkOutcome.Done(0, VerificationMode.Size);
                var (count, ended) = await CountFromAsync(length - 1, path, item.AskedPath, stop.Token, abort).ConfigureAwait(false);
                if (ended && count > 0 && count < length)
                {
                    context.Host.NoteOffset(length - 1);
                    return null;
                }
                if (count > 0 && await LengthAsync(item, abort).ConfigureAwait(false) == length) Leave(mayPass: false);
            }
            throw new TransferException(TransferError.Unsupported,
                $"{item.AskedPath} is not read from byte {item.Offset} on: the server was not seen to begin there (REST).")
            {
                RemotePath = item.AskedPath,
            };
        }
        catch (TransferException refusal) when (refusal is not TransferConnectionException)
        {
            return new WorkOutcome.Failed(await lookUp.ExplainAsync(refusal, item.Path, abort).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (item.Canceled.IsCancellationRequested && !abort.IsCancellationRequested)
        {
            return new WorkOutcome.Failed(FtpFileTransfer.Canceled(item));
        }
    }

    // Null: not known. The transfer itself shows whether the file is absent: some servers send files that they do not describe.
    private async ValueTask<long?> LengthAsync(WorkItem item, CancellationToken ct)
    {
        var outcome = (await lookUp.GetAllAsync([item.Path], ct).ConfigureAwait(false))[0];
        return outcome.Entry is { IsLengthApproximate: false, Length: { } length } ? length : null;
    }

    private async ValueTask<(int Count, bool Ended)> CountFromAsync(long offset, string path, string asked, CancellationToken stop,
        CancellationToken abort)
    {
        await opener.PrepareAsync(abort).ConfigureAwait(false);
        var exchange = await FtpExchange.StartAsync(context, opener, new FtpCommand("RETR", path), asked, sends: false, abort,
            offset).ConfigureAwait(false);
        await using var exchangeEnd = exchange.ConfigureAwait(false);
        exchange.Data.TakesUnconfirmedEnd = true;
        var (buffer, count, ended) = (context.Buffers.Rent(), 0, false);
        try
        {
            while (count < Most && !ended)
            {
                var read = await exchange.Data.ReadAsync(buffer.AsMemory(0, context.Buffers.Size), stop).ConfigureAwait(false);
                (count, ended) = (count + read, read == 0);
            }
        }
        catch (Exception e) when (e is OperationCanceledException or TransferException and not TransferConnectionException
            && !abort.IsCancellationRequested)
        {
            var reply = await exchange.GiveUpAsync(abort).ConfigureAwait(false);
            if (e is OperationCanceledException || reply.IsDone) throw;
            throw exchange.Refusal(reply);
        }
        finally
        {
            context.Buffers.Return(buffer);
        }
        if (ended) await exchange.FinishAsync(abort).ConfigureAwait(false);
        else await EndAsync(exchange, abort).ConfigureAwait(false);
        return (count, ended);
    }

    private async ValueTask EndAsync(FtpExchange exchange, CancellationToken abort)
    {
        try
        {
            await exchange.GiveUpAsync(abort).ConfigureAwait(false);
        }
        catch (TransferConnectionException)
        {
            // No look can follow on this session, and the next one would come to the same end.
            Leave(mayPass: true);
            throw;
        }
    }

    private void Leave(bool mayPass)
    {
        context.Ladders.Offsets.Leave(FtpOffer.Used, "REST was answered with 350, and the file came from its first byte", mayPass);
        context.Ladders.Confirm();
    }
}
