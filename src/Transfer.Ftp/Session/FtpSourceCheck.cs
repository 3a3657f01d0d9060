using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Compares length and time of a long download's file from before the transfer with those behind it: a file that is rewritten in place
/// meanwhile arrives as old and new bytes. The commands behind the transfer leave with those of the next files.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="entries">Describes files.</param>
internal sealed class FtpSourceCheck(FtpSessionContext context, FtpEntries entries)
{
    /// <summary>Whether an item is long enough for the comparison. One command at a time, the look would cost round trips.</summary>
    public bool IsNeeded(WorkItem item) =>
        item is { Kind: WorkKind.Download, IsSegment: false, End: long.MaxValue, Verify: >= VerificationMode.Size }
        && item.Content.Length - item.Offset > FtpFileTransfer.ShortLength && context.Pipelining != FtpPipelining.Off
        && context.Options.TransferType == FtpTransferType.Binary;

    /// <summary>The commands that describe a file again.</summary>
    public static IReadOnlyList<FtpCommand> Commands(FtpWork work) => FtpEntries.LongFileCommands(work.Path);

    /// <summary>Ends an item by the replies to <see cref="Commands"/>. A file that has only grown is compared by the engine.</summary>
    public async ValueTask EndAsync(FtpWork work, CancellationToken ct)
    {
        var first = await StampOfAsync(work.Announced, ct).ConfigureAwait(false);
        var last = await StampOfAsync(work.Pending, ct).ConfigureAwait(false);
        work.Pending.Clear();
        var done = new WorkOutcome.Done(work.Bytes, work.Verified) { Source = work.RequestsStamp ? first : null };
        if (first is not { } before || last is not { } after || after == before)
        {
            work.Outcome = done;
            return;
        }
        work.Outcome = after.Length > before.Length
            ? done with { Source = after } : WorkOutcome.Failed.Rewritten(work.Item.Path, work.Item.Offset + work.Bytes);
    }

    private async ValueTask<FileStamp?> StampOfAsync(List<PendingReply> pending, CancellationToken ct) =>
        entries.Stamp(await FtpReplyOrder.TakeAllAsync(context, pending, ct).ConfigureAwait(false));
}
