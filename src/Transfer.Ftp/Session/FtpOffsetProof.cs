using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// A proof that downloads begin at their offsets (RFC 3659 section 5). Some servers answer 350 to REST and send the file from its first
/// byte, which nothing shows where a range ends before the file. A server that is not known by name is asked for the last byte of a file
/// before its first range: more than that byte comes only from such a server.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="opener">Opens the data connection.</param>
/// <param name="lookUp">Reports the length of the file.</param>
internal sealed class FtpOffsetProof(FtpSessionContext context, FtpDataOpener opener, FtpLookUp lookUp)
{
    // A file that grows meanwhile has further bytes too.
    private const int Tries = 3;

    /// <summary>
    /// Whether an item needs the proof first. Segments of one file prove each other: the last one shows further bytes. So does the end of a
    /// file whose length is known and compared.
    /// </summary>
    public bool IsNeeded(WorkItem item) => item is { Kind: WorkKind.Download, Offset: > 0, IsSegment: false }
        && context.Profile.Flavor == FtpFlavor.Unknown && !context.Host.TakesOffsets
        && item is not { End: long.MaxValue, Verify: >= VerificationMode.Size, Announced: > 0 };

    /// <summary>Proves the server by an item's own file.</summary>
    /// <returns>The outcome of an item that cannot run; null: the item can.</returns>
    public async ValueTask<WorkOutcome?> RunAsync(WorkItem item, string path, CancellationToken ct)
    {
        try
        {
            for (var tried = 0; tried < Tries; tried++)
            {
                var length = await LengthAsync(item, ct).ConfigureAwait(false);
                if (length <= item.Offset) return new WorkOutcome.Done(0, VerificationMode.Size);
                var count = await CountFromAsync(length - 1, path, item.AskedPath, ct).ConfigureAwait(false);
                if (count == 1)
                {
                    context.Host.TakesOffsets = true;
                    return null;
                }
                if (count == 0 || await LengthAsync(item, ct).ConfigureAwait(false) != length) continue;
                context.Ladders.Offsets.Leave(FtpOffer.Used, "REST was answered with 350, and the file came from its first byte");
                context.Ladders.Confirm();
                throw Refusal(item, "sends files from their first byte, whatever REST asks for");
            }
            throw Refusal(item, "was not seen to begin at an offset, as the file changes");
        }
        catch (TransferException refusal) when (refusal is not TransferConnectionException)
        {
            return new WorkOutcome.Failed(await lookUp.ExplainAsync(refusal, item.Path, ct).ConfigureAwait(false));
        }
    }

    private async ValueTask<long> LengthAsync(WorkItem item, CancellationToken ct) =>
        await lookUp.GetAsync(item.Path, ct).ConfigureAwait(false) switch
        {
            { IsLengthApproximate: false, Length: { } length } => length,
            null => throw new TransferException(TransferError.NotFound, $"{item.AskedPath} does not exist.")
            {
                RemotePath = item.AskedPath,
            },
            _ => throw Refusal(item, "reports no length, which would show where a download begins"),
        };

    // Two bytes are as good as all.
    private async ValueTask<int> CountFromAsync(long offset, string path, string asked, CancellationToken ct)
    {
        var exchange = await FtpExchange.StartAsync(context, opener, new FtpCommand("RETR", path), asked, sends: false, ct,
            offset).ConfigureAwait(false);
        await using var exchangeEnd = exchange.ConfigureAwait(false);
        var (buffer, count) = (new byte[2], 0);
        while (count < buffer.Length && await exchange.ReadAsync(buffer.AsMemory(count), ct).ConfigureAwait(false) is > 0 and var read)
            count += read;
        if (count < buffer.Length) await exchange.FinishAsync(ct).ConfigureAwait(false);
        else await exchange.GiveUpAsync(ct).ConfigureAwait(false);
        return count;
    }

    private static TransferException Refusal(WorkItem item, string reason) => new(TransferError.Unsupported,
        $"{item.AskedPath} is not read from byte {item.Offset} on: the server {reason}.")
    {
        RemotePath = item.AskedPath,
    };
}
