using System.Runtime.CompilerServices;
using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// An upload: OPEN; then every WRITE, FSETSTAT, CLOSE and a look at the file back to back; then the rename. A small file thus takes three
/// round trips, and holds a handle in two of them.
/// </summary>
/// <remarks>
/// The look comes behind CLOSE: some servers describe an open file as the one before, and others report what they have received, and lose
/// it when they store the file.
/// </remarks>
internal sealed class SftpUpload : SftpWork
{
    private readonly SftpRenamer _renamer;
    private readonly string? _temporary;
    private readonly SftpFileMode _mode;
    private readonly Queue<(PendingReply Reply, int Asked, int Count)> _writes = new();
    private TransferException? _error;
    private long _sent;
    private long _arrived;
    private bool _opened;
    private bool _publishing;
    private bool _allSent;
    private bool _flushed;
    private SftpAttributes _file; // behind CLOSE
    private bool _isUnseen;
    private uint? _setTime; // by handle, before the rename
    private SftpAttributes? _unset; // refused by handle: left for SETSTAT
    private bool _isRefusedByHandle;

    public SftpUpload(SftpSessionContext context, WorkItem item, Action allAsked, SftpRenamer renamer)
        : base(context, item, allAsked)
    {
        _renamer = renamer;
        _temporary = item.TemporaryPath is { } temporary ? context.Expand(temporary) : null;
        var replaced = item.ReplacedPath is { } path ? context.Expand(path) : null;
        _mode = new SftpFileMode(context, Target, replaced, item.IsUnfinished, item.Metadata?.Mode, item.SourceMode);
    }

    private string Target => _temporary ?? Path;

    // Otherwise the engine publishes, or the file is written in place.
    private bool Publishes => _temporary is not null && !Item.IsSegment;

    protected override async Task<WorkOutcome> MoveAsync(CancellationToken stop)
    {
        await Context.Handles.TakeAsync().ConfigureAwait(false);
        if (stop.IsCancellationRequested || Context.Engine.Fault is not null)
        {
            Context.Handles.Return();
            return new WorkOutcome.Untouched { Reason = Context.Engine.Fault };
        }
        var isUnordered = Context.IsUnordered;
        // The server handles requests in order: the file's own OPEN shows the result.
        var made = Item.Directory is { } folder
            ? Operations.MakeDirectoryAsync(Context.Expand(folder), CancellationToken.None) : (PendingReply?)null;
        if (isUnordered && made is { } first)
        {
            await first.ConfigureAwait(false);
            made = null;
        }
        var attributes = SftpTimes.ToAttributes(Item.Metadata);
        if (Traits.IsSettled(SftpTrait.NoTimes) && Traits.Has(SftpTrait.NoTimes)) attributes = attributes with { Modified = null };
        _opened = true;
        _mode.RequestReplaced();
        var (flags, initial) = (OpenFlags, new SftpAttributes { Permissions = _mode.Created });
        // A file in place may exist: the likelier reason of a FAILURE.
        var open = _temporary is null && flags.HasFlag(SftpOpenFlags.Exclusive)
            ? await Operations.OpenAsync(Target, flags, initial, CancellationToken.None).ConfigureAwait(false)
            : (flags & SftpOpenFlags.New) == 0
            ? await new RangeOpener(Context, other => OpenAsync(Target, other, initial)).OpenAsync().ConfigureAwait(false)
            : await OpenAsync(Target, flags, initial).ConfigureAwait(false);
        if (made is { } making) await making.ConfigureAwait(false);
        await DecideModeAsync().ConfigureAwait(false);
        if (open.Handle is not { } handle)
        {
            Context.Handles.Return();
            return new WorkOutcome.Failed(await OpenRefusal.ExplainAsync(Context, Item, open).ConfigureAwait(false));
        }

        var closing = _mode.BeforeContent is { } own
            ? Operations.FSetStatAsync(handle, new SftpAttributes { Permissions = own }) : (PendingReply?)null;
        if (isUnordered && closing is { } alone)
        {
            NoteClosed(await alone.ConfigureAwait(false));
            closing = null;
        }
        await WriteAllAsync(handle, stop).ConfigureAwait(false);
        _allSent = _error is null;
        if (isUnordered) await TakeWritesAsync().ConfigureAwait(false);
        var ending = _error is null ? End(handle, attributes) : null;
        if (isUnordered && ending is not null) await ending.ReadAsync(this).ConfigureAwait(false);
        var close = Operations.CloseAsync(handle);
        // The server takes requests in order: this one will be closed before the next is opened.
        Context.Handles.Return();
        var ended = isUnordered ? await close.ConfigureAwait(false) : (SftpReply?)null;
        var described = ending is not null && (Compares || _mode.NeedsGroup || ending.ProvesTime) ? Look() : (PendingReply?)null;
        var looked = _error is null && Publishes && LooksAtTarget
            ? Operations.StatAsync(Path, follow: false, CancellationToken.None) : (PendingReply?)null;
        OnAllRequested();

        if (closing is { } asked) NoteClosed(await asked.ConfigureAwait(false));
        await TakeWritesAsync().ConfigureAwait(false);
        if (ending is not null && !isUnordered) await ending.ReadAsync(this).ConfigureAwait(false);
        var closed = ended ?? await close.ConfigureAwait(false);
        // Some servers write late and report a full disk only at the end.
        if (!closed.IsOk) _error ??= SftpErrors.ToException(closed, "CLOSE", Item.AskedPath, TransferError.Quota);
        var verified = ending is null
            ? VerificationMode.Reply : await VerifyAsync(ending, described, isInOrder: isUnordered).ConfigureAwait(false);
        var seen = looked is { } look ? SftpRenamer.Sight(await look.ConfigureAwait(false)) : (NameSight?)null;
        if (_error is not null && !isUnordered && Context.IsUnordered) _error = WithOrderLost(_error);
        if (_error is { Error: TransferError.Quota })
            _error = await SftpSpace.ExplainAsync(Context, _error, RemotePath.GetParent(Target), Item.Content.Length).ConfigureAwait(false);
        if (_error is null && stop.IsCancellationRequested) _error = Canceled();
        var isWhole = _error is null;
        if (isWhole && Publishes && !_isUnseen)
        {
            var late = await AttributesForRenameAsync().ConfigureAwait(false);
            _publishing = true;
            _error = await PublishAsync(late, seen).ConfigureAwait(false);
            _publishing = false;
        }
        else if (isWhole && Item is { IsSegment: false, LaterPath: null } && _unset is { } rest)
        {
            await SetByPathAsync(rest, Target).ConfigureAwait(false);
        }
        if (_error is null) return await DoneAsync(verified).ConfigureAwait(false);
        // A file without its final name is deleted, or named in the error.
        if (isWhole || !Publishes) return new WorkOutcome.Failed(_error) { Publishing = isWhole, MayLeavePart = _temporary is null };
        var refusal = await _renamer.DeleteAsync(Item.TemporaryPath!, CancellationToken.None).ConfigureAwait(false);
        return new WorkOutcome.Failed(refusal is null or { Error: TransferError.NotFound }
            ? _error : ReplacementDriver.WithLeftover(_error, Item.TemporaryPath!, refusal));
    }

    // The file was to be closed to other users before the content.
    private void NoteClosed(in SftpReply reply)
    {
        if (!reply.IsOk) Log.AttributesNotSet(Context.Logger, Item.Path, (uint)reply.Status);
    }

    // The engine publishes a segmented file, and sets the permissions then.
    private async ValueTask<WorkOutcome> DoneAsync(VerificationMode verified) => Item.IsSegment
        ? new WorkOutcome.Done(_arrived, verified) { FinalMode = await _mode.FindFinalAsync(_file).ConfigureAwait(false) }
        : new WorkOutcome.Done(_arrived, verified)
        {
            IsUnseen = _isUnseen,
            HasMode = Item.LaterPath is not null && !_mode.IsPending && _unset is null,
        };

    private ValueTask DecideModeAsync()
    {
        if (Item.Offset > 0) _mode.Continue();
        return _mode.DecideAsync();
    }

    // The attributes set in the flight of the rename: those unknown before, or refused together with the permissions.
    private async ValueTask<SftpAttributes> AttributesForRenameAsync()
    {
        var unset = _unset.GetValueOrDefault();
        if (!_mode.IsPending) return unset;
        return unset with { Permissions = await _mode.DecidePendingAsync(_file).ConfigureAwait(false) ?? unset.Permissions };
    }

    private async ValueTask<TransferException?> PublishAsync(SftpAttributes late, NameSight? seen)
    {
        var setting = SftpTimes.IsEmpty(late) ? (PendingReply?)null : Operations.SetStatAsync(Target, late, CancellationToken.None);
        if (Context.IsUnordered && setting is { } before)
        {
            await SetByPathAsync(late, Target, await before.ConfigureAwait(false)).ConfigureAwait(false);
            setting = null;
        }
        var path = Target;
        try
        {
            var error = await _renamer.RunAsync(RenamingOf(seen), CancellationToken.None).ConfigureAwait(false);
            if (error is null) path = Path;
            if (error is null && setting is null && _setTime is { } time)
                await SftpTimes.CheckRenamedAsync(Context, path, time).ConfigureAwait(false);
            return error;
        }
        finally
        {
            if (setting is { } asked) await SetByPathAsync(late, path, await asked.ConfigureAwait(false)).ConfigureAwait(false);
        }
    }

    // The refusal may be one of FSETSTAT alone: SETSTAT decides.
    private void RefusedByHandle(SftpAttributes attributes, SftpStatus status)
    {
        Log.AttributesNotSet(Context.Logger, Item.Path, (uint)status);
        if (status == SftpStatus.Unsupported) Context.Server.NoHandleAttributes = true;
        // Where requests run at once, CLOSE may have overtaken this one.
        (_unset, _isRefusedByHandle) = (attributes, !Context.IsUnordered);
    }

    private async ValueTask SetByPathAsync(SftpAttributes attributes, string path, SftpReply? answered = null)
    {
        var reply = answered ?? await Operations.SetStatAsync(path, attributes, CancellationToken.None).ConfigureAwait(false);
        // The rename has overtaken the request: nothing was refused.
        if (answered is { Status: SftpStatus.NoSuchFile } && path != Target)
            reply = await Operations.SetStatAsync(path, attributes, CancellationToken.None).ConfigureAwait(false);
        if (reply.IsOk)
        {
            SftpFileMode.HandleSet(Context, attributes);
            if (_isRefusedByHandle) Context.Server.NoHandleAttributes = true;
        }
        else
        {
            var rest = SftpFileMode.HandleRefusal(Context, Item.Path, attributes, reply.Status);
            // The time was refused only because of the permissions in the same request.
            if (!SftpTimes.IsEmpty(rest))
                reply = await Operations.SetStatAsync(path, rest, CancellationToken.None).ConfigureAwait(false);
        }
        if (attributes.Modified is not { } time) return;
        if (reply.IsOk) SftpTimes.HandleSet(Context, time, found: time);
        else SftpTimes.HandleRefusal(Context, reply.Status, exists: path == Path);
    }

    private bool Compares => Item.Verify >= VerificationMode.Size;

    // A file written in place may have a link's name.
    private PendingReply Look() => Operations.StatAsync(Target, follow: !Item.IsUnfinished, CancellationToken.None);

    // The length that the server reports is compared with the bytes sent.
    private async ValueTask<VerificationMode> VerifyAsync(Ending ending, PendingReply? described, bool isInOrder)
    {
        var look = described is { } asked ? await asked.ConfigureAwait(false) : default;
        if (look.IsOk) _file = look.Attributes;
        if (ending.SetTime is { } time)
        {
            _setTime = time;
            // A server that shows no time keeps none that can be compared.
            var shown = ending.ProvesTime && look.IsOk ? _file.Modified ?? 0 : (uint?)null;
            await SftpTimes.ConfirmAsync(Context, Target, time, shown).ConfigureAwait(false);
            // A late WRITE, which FSETSTAT and perhaps the look overtook, has changed the time.
            if (!isInOrder && Context.IsUnordered) _unset = new SftpAttributes { Modified = time };
        }
        return _error is null && Compares ? await CompareAsync(SftpRenamer.Sight(look)).ConfigureAwait(false) : VerificationMode.Reply;
    }

    private async ValueTask<VerificationMode> CompareAsync(NameSight seen)
    {
        // Other sessions had moved the whole range, and earlier ranges may be missing yet.
        if (this is { _sent: 0, Item.IsSegment: true }) return seen.Length is null ? VerificationMode.Reply : VerificationMode.Size;
        // The look may have overtaken CLOSE.
        if (IsWrong(seen)) seen = SftpRenamer.Sight(await Look().ConfigureAwait(false));
        if (IsWrong(seen))
        {
            _error = new TransferException(TransferError.Integrity, seen.State == NameState.Absent
                ? $"{Item.AskedPath}: the server confirmed the file, and does not show it."
                : $"{Item.AskedPath}: {Expected} bytes were sent, and {seen.Length} are there.")
            { RemotePath = Item.AskedPath };
        }
        else if (!IsExpected(seen))
        {
            // The engine looks at whole files by other means, and publishes large ones itself.
            _isUnseen = IsWholeFile;
            return VerificationMode.Reply;
        }
        return VerificationMode.Size;
    }

    private long Expected => Item.Offset + _sent;

    private bool IsWholeFile => !Item.IsSegment && Item.End == long.MaxValue;

    // Bytes after a range of a larger file belong to other ranges.
    private bool IsExpected(NameSight seen) =>
        seen.State == NameState.File && (seen.Length == Expected || seen.Length > Expected && !IsWholeFile);

    // The engine looks for a whole file that is not shown.
    private bool IsWrong(NameSight seen) =>
        seen is { State: NameState.File, Length: not null } && !IsExpected(seen) || seen.State == NameState.Absent && !IsWholeFile;

    private SftpTraits Traits => Context.Server.Traits;

    private Renaming RenamingOf(NameSight? seen) => new(Item.TemporaryPath!, Item.Path)
    {
        IsTemporary = true,
        Replace = Item.Replace,
        TargetSeen = seen,
        MustSeeTarget = Item.MustSeeTarget,
        Length = Item.Offset + _arrived,
        Modified = Item.Metadata?.Modified,
        Asides = Item.Asides,
    };

    // Beside other requests: looks at a target that must not be replaced, or must be moved aside.
    private bool LooksAtTarget => !Item.Replace || Context.Server.Renames.Of(Item.Path) == ReplacementKnowledge.NeedsAside;

    protected override WorkOutcome WhenLost(TransferConnectionException lost) =>
        _opened ? new WorkOutcome.InDoubt(_publishing, lost) { Moved = _allSent && _error is null && (_flushed || !Flushes) ? _sent : null }
        : new WorkOutcome.Untouched { Reason = lost };

    private bool Flushes => Item.FlushToDisk && Context.Offers(SftpExtension.FSync);

    // A whole file under a new name must be new; a range goes into an existing file.
    private SftpOpenFlags OpenFlags => SftpOpenFlags.Write | SftpOpenFlags.Create | (Item switch
    {
        { IsSegment: true } => 0,
        { Offset: > 0 } => 0,
        { End: < long.MaxValue } => 0,
        { Replace: true } when _temporary is null => SftpOpenFlags.Truncate,
        _ => SftpOpenFlags.New,
    });

    // Returns after the last byte, or at the first error.
    private async ValueTask WriteAllAsync(byte[] handle, CancellationToken stop)
    {
        var budget = Context.Sending;
        for (var offset = Item.Offset; _error is null;)
        {
            var length = Item.Content.Length is > 0 and var told ? told : long.MaxValue;
            var wanted = (int)Math.Min(Context.Limits.Write, Math.Min(Item.End, length) - offset);
            wanted = Item.Claim(offset, wanted);
            if (wanted <= 0) return;
            // An upload that waits for its source holds no room that other files may need.
            if (!await IsReadyAsync(offset, stop).ConfigureAwait(false)) return;
            // Takes the file's own oldest reply first, which frees room and shows errors early.
            while (!budget.TryTake(wanted))
            {
                if (_writes.Count == 0)
                {
                    await budget.TakeAsync(wanted).ConfigureAwait(false);
                    break;
                }
                TakeWrite(await _writes.Peek().Reply.ConfigureAwait(false));
            }
            var buffer = Context.Engine.Buffers.Rent(wanted);
            var count = await FillAsync(offset, buffer.AsMemory(0, wanted), stop).ConfigureAwait(false);
            if (count == 0)
            {
                Context.Engine.Buffers.Return(buffer);
                budget.Return(wanted, 0);
                return;
            }
            _writes.Enqueue((Operations.WriteAsync(handle, offset, buffer, count), wanted, count));
            offset += count;
            _sent += count;
            while (_writes.TryPeek(out var oldest) && oldest.Reply.IsCompleted) TakeWrite(await oldest.Reply.ConfigureAwait(false));
        }
    }

    private async ValueTask TakeWritesAsync()
    {
        while (_writes.TryPeek(out var oldest)) TakeWrite(await oldest.Reply.ConfigureAwait(false));
    }

    private async ValueTask<bool> IsReadyAsync(long offset, CancellationToken stop)
    {
        try
        {
            await Item.Content.WhenReadableAsync(offset, stop).ConfigureAwait(false);
            return true;
        }
        catch (Exception e)
        {
            _error ??= LocalError(e, stop);
            return false;
        }
    }

    // Pooled: the method waits once a request where the content does.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> FillAsync(long offset, Memory<byte> buffer, CancellationToken stop)
    {
        try
        {
            stop.ThrowIfCancellationRequested();
            return await Item.Content.ReadAsync(offset, buffer, stop).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            _error ??= LocalError(e, stop);
            return 0;
        }
    }

    // The caller waits: an async method that waits once a request allocates one object a request.
    private void TakeWrite(in SftpReply reply)
    {
        var (_, asked, count) = _writes.Dequeue();
        Context.Sending.Return(asked, reply.IsOk ? count : 0);
        if (reply.IsOk)
        {
            _arrived += count;
            Item.Report(count);
            // A failed range ends all ranges after it.
            if (_error is null) Item.Confirm(Item.Offset + _arrived);
        }
        else
        {
            // A file system refuses a permitted write when it is full, broken disks aside.
            _error ??= SftpErrors.ToException(reply, "WRITE", Item.AskedPath, TransferError.Quota);
        }
    }

    private Ending End(byte[] handle, SftpAttributes attributes)
    {
        attributes = attributes with { Permissions = attributes.Permissions ?? _mode.AfterContent };
        var isSet = !Item.IsSegment && !SftpTimes.IsEmpty(attributes);
        var byHandle = isSet && !Context.Server.NoHandleAttributes;
        if (isSet && !byHandle) _unset = attributes;
        return new()
        {
            Synced = Flushes ? Operations.FSyncAsync(handle) : null,
            Attributes = attributes,
            // A later write would change the time again.
            Set = byHandle ? Operations.FSetStatAsync(handle, attributes) : null,
            ProvesTime = byHandle && attributes.Modified is { } time && !Context.SetsTimes
                && (!Traits.IsSettled(SftpTrait.NoTimes) || SftpTimes.TellsStep(Context, time)),
        };
    }

    /// <summary>The requests after the last WRITE.</summary>
    private sealed class Ending
    {
        public required PendingReply? Synced { get; init; }

        public required SftpAttributes Attributes { get; init; }

        public required PendingReply? Set { get; init; }

        /// <summary>Whether the look behind CLOSE decides whether the server keeps times.</summary>
        public required bool ProvesTime { get; init; }

        /// <summary>The time that was set without a refusal; null: none.</summary>
        public uint? SetTime { get; private set; }

        public async ValueTask ReadAsync(SftpUpload upload)
        {
            if (Synced is { } syncing)
            {
                var synced = await syncing.ConfigureAwait(false);
                upload._flushed = synced.IsOk;
                if (!synced.IsOk) upload._error ??= SftpErrors.ToException(synced, "fsync", upload.Item.AskedPath, TransferError.Quota);
            }
            if (Set is not { } set) return;
            var answer = await set.ConfigureAwait(false);
            if (answer.IsOk)
            {
                SetTime = Attributes.Modified;
                SftpFileMode.HandleSet(upload.Context, Attributes);
            }
            else
            {
                upload.RefusedByHandle(Attributes, answer.Status);
            }
        }
    }
}
