using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>What happens to an upload after its content: SIZE and attributes, the rename to its name, or the deletion of what failed.</summary>
internal sealed class FtpPublisher
{
    private readonly FtpSessionContext _context;
    private readonly FtpAttributes _attributes;
    private readonly FtpEntries _entries;

    public FtpPublisher(FtpSessionContext context, FtpAttributes attributes, FtpEntries entries)
    {
        _context = context;
        _attributes = attributes;
        _entries = entries;
    }

    /// <summary>SIZE and the attributes of a stored file, under the name it was stored.</summary>
    public IReadOnlyList<FtpCommand> CheckCommands(FtpWork work)
    {
        // How long it is, and what time it has, shows when all segments are there.
        if (work.Item.IsSegment) return [];
        var commands = new List<FtpCommand>();
        if (ChecksSize(work)) commands.Add(new FtpCommand("SIZE", work.Target));
        commands.AddRange(_attributes.SetCommands(work.Target, work.Item.Metadata));
        return commands;
    }

    /// <summary>The commands of an open item's present stage; none when it waits for something else.</summary>
    public IReadOnlyList<FtpCommand> NextCommands(FtpWork work)
    {
        switch (work.Stage)
        {
            case FtpWorkStage.Stored:
                return CheckCommands(work);
            case FtpWorkStage.Verified:
                var rename = new List<FtpCommand> { new("RNFR", work.TemporaryPath), new("RNTO", work.Path) };
                // Out of another folder the rename may be refused for good: then the old file stays.
                if (work.Item.Replace && _context.Host.RenameRefusesExisting && FtpEntries.IsBeside(work.Item.TemporaryPath!, work.Item.Path)) rename.Insert(0, new FtpCommand("DELE", work.Path));
                return rename;
            case FtpWorkStage.Discarding:
                return [new FtpCommand("DELE", work.TemporaryPath)];
            default:
                return [];
        }
    }

    /// <summary>Reads the replies to the stage's commands and moves the item on.</summary>
    public async ValueTask AdvanceAsync(FtpWork work, CancellationToken ct)
    {
        switch (work.Stage)
        {
            case FtpWorkStage.Stored:
                await VerifyAsync(work, ct).ConfigureAwait(false);
                break;
            case FtpWorkStage.Publishing:
                await PublishAsync(work, ct).ConfigureAwait(false);
                break;
            case FtpWorkStage.Discarding:
                var deletion = await work.Pending[^1].FinalAsync(ct).ConfigureAwait(false);
                // 550: the refused STOR had not left anything.
                if (!deletion.IsSuccess && deletion.Code != 550) Log.TemporaryFileLeft(_context.Logger, work.Target, deletion.Code);
                work.Outcome = new WorkOutcome.Failed(work.Error!) { Publishing = work.IsNameRefused };
                break;
        }
        work.Pending.Clear();
    }

    /// <summary>Compares sizes and looks at what became of the attributes.</summary>
    public async ValueTask VerifyAsync(FtpWork work, CancellationToken ct)
    {
        TransferException? error = null;
        foreach (var pending in work.Pending)
        {
            var reply = await FtpReplyOrder.TakeAsync(_context, pending, ct).ConfigureAwait(false);
            if (!pending.Command.Is("SIZE"))
            {
                _attributes.Check(pending.Command, reply);
            }
            else if (FtpFileTransfer.Size(reply) is { } size)
            {
                var sent = work.Item.Offset + work.Bytes;
                _context.Host.DescribesBySize = true;
                if (size == sent) work.Verified = Verification.Size;
                else error = new TransferException(TransferError.Integrity, $"The server has {size} bytes of {sent}.") { RemotePath = work.Item.Path };
            }
        }
        work.Pending.Clear();
        if (error is not null) work.Discard(error);
        else if (ChecksSize(work) && work.Verified < Verification.Size && !work.Item.IsSegment) work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified) { IsUnseen = true };
        else if (work.TemporaryPath is null || work.Item.IsSegment) work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified);
        else work.Stage = FtpWorkStage.Verified;
    }

    /// <summary>Renames over an existing file on a server that refuses to: looks whether that is the reason, deletes it, renames again.</summary>
    public async ValueTask ReplaceAsync(FtpWork work, CancellationToken ct)
    {
        try
        {
            await _entries.PublishAsync(work.Item.TemporaryPath!, work.Item.Path, overwrite: true, ct).ConfigureAwait(false);
            work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified);
        }
        catch (TransferException error) when (error is not TransferConnectionException)
        {
            // With the old file gone, the temporary one is all there is: it stays. One of another folder is not here any more then.
            if (!FtpEntries.IsBeside(work.Item.TemporaryPath!, work.Item.Path)
                || await _entries.GetAsync(work.Item.Path, ct).ConfigureAwait(false) is not null || !_context.Host.RenameRefusesExisting)
            {
                work.Discard(error, publishing: true);
            }
            else
            {
                work.Outcome = new WorkOutcome.Failed(new TransferException(error.Error, $"{error.Message} The new content is in {work.TemporaryPath}.", error) { RemotePath = work.Item.Path, ServerCode = error.ServerCode });
            }
        }
    }

    private async ValueTask PublishAsync(FtpWork work, CancellationToken ct)
    {
        FtpReply? from = null, to = null;
        foreach (var pending in work.Pending)
        {
            var reply = await FtpReplyOrder.TakeAsync(_context, pending, ct).ConfigureAwait(false);
            if (pending.Command.Is("RNFR")) from = reply;
            else if (pending.Command.Is("RNTO")) to = reply;
        }
        if (from!.IsIntermediate && to!.IsSuccess)
            work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified);
        else if (from.IsIntermediate && work.Item.Replace)
            work.Stage = FtpWorkStage.Blocked;
        else
            work.Discard(ReplyErrors.ToException(from.IsIntermediate ? to! : from, new FtpCommand("RNTO", work.Path), work.Item.Path, writes: true), publishing: true);
    }

    private bool ChecksSize(FtpWork work) => work.Item.Verify >= Verification.Size && _context.Options.TransferType == FtpTransferType.Binary;
}
