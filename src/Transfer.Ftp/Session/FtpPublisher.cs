using Transfer.Ftp.Protocol;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Finishes an upload after its content: SIZE and attributes, the final name, or the deletion of a failed file.</summary>
internal sealed class FtpPublisher
{
    private readonly FtpSessionContext _context;
    private readonly FtpAttributes _attributes;
    private readonly FtpLookUp _lookUp;

    private readonly FtpRenamer _renamer;

    public FtpPublisher(FtpSessionContext context, FtpAttributes attributes, FtpLookUp lookUp, FtpRenamer renamer)
    {
        _renamer = renamer;
        _context = context;
        _attributes = attributes;
        _lookUp = lookUp;
    }

    /// <summary>
    /// SIZE and attributes of a stored file, under its stored name; and a look at a target that must be moved aside or must stay.
    /// </summary>
    public IReadOnlyList<FtpCommand> CheckCommands(FtpWork work)
    {
        // Length and time are checked when all segments are stored.
        if (work.Item.IsSegment) return [];
        var commands = new List<FtpCommand>();
        if (ChecksSize(work)) commands.Add(new FtpCommand("SIZE", work.Target));
        commands.AddRange(_attributes.SetCommands(work.Target, work.Item.Metadata));
        commands.AddRange(work.TargetLook);
        if (work.Mode is { } mode) commands.AddRange(mode.LookCommands);
        return commands;
    }

    /// <summary>The commands of an open item's present stage; none while the item must wait.</summary>
    public IReadOnlyList<FtpCommand> NextCommands(FtpWork work) => work.Stage switch
    {
        FtpWorkStage.Stored => CheckCommands(work),
        FtpWorkStage.Verified => work.Naming!.Replacement.Next switch
        {
            [ReplacementStep.Delete delete] => [_renamer.Command(delete)],
            [ReplacementStep.Rename, ..] renames =>
                [.. ModeCommands(work), .. renames.Cast<ReplacementStep.Rename>().SelectMany(_renamer.Commands)],
            _ => [],
        },
        FtpWorkStage.Discarding => [new FtpCommand("DELE", _context.Expand(work.Discarded!.Unfinished!))],
        _ => [],
    };

    /// <summary>
    /// Notes that the commands of <see cref="NextCommands"/> are about to be sent: from now on the server may act on them.
    /// </summary>
    public static void MarkSent(FtpWork work)
    {
        if (work.Stage != FtpWorkStage.Verified) return;
        ReplacementDriver.Record(work.Naming!.Replacement.Next.OfType<ReplacementStep.Rename>(), work.Naming.Renaming.Asides);
        work.Naming.IsUnderWay = true;
        if (work.Naming.Replacement.Next is [ReplacementStep.Rename, ..]) work.Mode?.MarkSent();
        work.Stage = FtpWorkStage.Publishing;
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
                var deletion = await work.Pending[^1].GetFinalReplyAsync(ct).ConfigureAwait(false);
                // 550: the refused STOR had left no file.
                var (error, unfinished, isNameRefused) = work.Discarded!;
                var refusal = deletion.Code == 550 ? null : FtpRenamer.Refusal(work.Pending[^1].Command, deletion, unfinished!);
                if (refusal is not null) error = ReplacementDriver.WithLeftover(error, unfinished!, refusal);
                work.Outcome = new WorkOutcome.Failed(error) { Publishing = isNameRefused };
                break;
        }
        work.Pending.Clear();
    }

    /// <summary>Compares sizes and checks whether the attributes were set.</summary>
    public async ValueTask VerifyAsync(FtpWork work, CancellationToken ct)
    {
        TransferException? error = null;
        var replies = await FtpReplyOrder.TakeAllAsync(_context, work.Pending, ct).ConfigureAwait(false);
        var looks = work.TargetLook.Count;
        var checks = replies.Count - looks - (work.Mode?.LookCommands.Count ?? 0);
        for (var i = 0; i < checks; i++)
        {
            var command = work.Pending[i].Command;
            if (FtpAttributes.ShowsTime(command))
            {
                _attributes.CheckShown(work.Pending[i - 1].Command, replies[i - 1], replies[i]);
            }
            else if (!command.Is("SIZE"))
            {
                _attributes.Check(command, replies[i], isThere: work.Verified >= VerificationMode.Size);
                work.LosesMode |= !replies[i].IsDone && FtpAttributes.ChangesMode(command);
            }
            else if (FtpFileTransfer.Size(replies[i]) is { } size)
            {
                var sent = work.Item.Offset + work.Bytes;
                _context.Host.Describes.BySize = true;
                if (size == sent)
                {
                    work.Verified = VerificationMode.Size;
                }
                else
                {
                    error = new TransferException(TransferError.Integrity,
                    $"The server has {size} bytes of {sent}.")
                    { RemotePath = work.Item.AskedPath };
                }
            }
        }
        if (looks > 0) work.TargetSeen = _lookUp.Sight(work.Item.Path, [.. replies.Skip(checks).Take(looks)]);
        work.Mode?.Take([.. replies.Skip(checks + looks)]);
        // A host that refused SITE CHMOD once gets no other.
        work.LosesMode |= work.Item is { IsSegment: false, Metadata.Mode: not null } && !_context.Ladders.SiteChmod.IsOnFirst;
        work.Pending.Clear();
        if (error is not null) work.Discard(error);
        else if (ChecksSize(work) && work.Verified < VerificationMode.Size && !work.Item.IsSegment)
            work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified) { IsUnseen = true };
        else if (work.TemporaryPath is null || work.Item.IsSegment)
            work.Outcome = new WorkOutcome.Done(work.Bytes, work.Verified) { LosesMode = work.LosesMode };
        else BeginNaming(work);
    }

    /// <summary>Finishes the naming of a blocked item, step by step.</summary>
    public async ValueTask UnblockAsync(FtpWork work, CancellationToken ct)
    {
        var (renaming, replacement) = work.Naming!;
        if (work.Mode is { } mode) await _attributes.ApplyAsync(mode, ct).ConfigureAwait(false);
        work.Naming!.IsUnderWay = true;
        var result = await ReplacementDriver.FinishAsync(replacement, renaming, _renamer, _context.Renames, _context.Options.TimeProvider,
            ct).ConfigureAwait(false);
        // A file is deleted after a failed rename, or named in the error.
        if (result.IsDone) Done(work, result);
        else work.Outcome = new WorkOutcome.Failed(result.Error!) { Publishing = true };
    }

    private void BeginNaming(FtpWork work)
    {
        var renaming = new Renaming(work.Item.TemporaryPath!, work.Item.Path)
        {
            IsTemporary = true,
            Replace = work.Item.Replace,
            TargetSeen = work.TargetSeen,
            MustSeeTarget = work.Item.MustSeeTarget,
            Length = work.Item.Offset + work.Bytes,
            Modified = _attributes.SetsModified ? work.Item.Metadata?.Modified : null,
            Asides = work.Item.Asides,
        };
        work.Naming = new FtpNaming(renaming, new Replacement(renaming, _context.RenamesOf(renaming.To)));
        ContinueNaming(work);
    }

    private async ValueTask PublishAsync(FtpWork work, CancellationToken ct)
    {
        var replacement = work.Naming!.Replacement;
        var replies = await FtpReplyOrder.TakeAllAsync(_context, work.Pending, ct).ConfigureAwait(false);
        var commands = work.Pending.ConvertAll(pending => pending.Command);
        if (work.Mode?.TryTake(_attributes, commands[0], replies[0]) == true)
        {
            commands.RemoveAt(0);
            replies.RemoveAt(0);
        }
        if (replacement.Next is [ReplacementStep.Delete delete])
        {
            replacement.Take(FtpRenamer.Refusal(_renamer.Command(delete), replies[0], delete.Path));
        }
        else
        {
            replacement.Take(_renamer.Replies([.. replacement.Next.Cast<ReplacementStep.Rename>()], commands, replies));
        }

        ContinueNaming(work);
    }

    private void ContinueNaming(FtpWork work)
    {
        var (renaming, replacement) = work.Naming!;
        work.Stage = replacement.Next is [ReplacementStep.Look or ReplacementStep.Wait] || work.Mode is { MustLook: true }
            ? FtpWorkStage.Blocked : FtpWorkStage.Verified;
        if (replacement.Result is not { } result) return;
        ReplacementDriver.Settle(replacement, renaming, _context.Renames);
        if (result.IsDone) Done(work, result);
        else work.Refuse(result);
    }

    private void Done(FtpWork work, ReplacementResult result)
    {
        if (result.Aside is { } aside) Log.AsideLeft(_context.Logger, work.Item.Path, aside);
        work.Outcome = new WorkOutcome.Done(work.Bytes,
            work.Verified)
        { LosesMode = work.LosesMode || work.Mode is { LosesReplacedMode: true } };
    }

    private static IEnumerable<FtpCommand> ModeCommands(FtpWork work) => work.Mode?.Command is { } command ? [command] : [];

    private bool ChecksSize(FtpWork work) =>
        work.Item.Verify >= VerificationMode.Size && _context.Options.TransferType == FtpTransferType.Binary;
}
