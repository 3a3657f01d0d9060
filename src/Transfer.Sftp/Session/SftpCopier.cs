using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Copies files inside the server (copy-data). A server handles no other request during a copy, so files are copied in pieces: each reply
/// shows that the server is alive, and a copy can be given up between two of them. As for an upload, the look at the copy comes behind
/// CLOSE.
/// </summary>
internal sealed class SftpCopier
{
    private const long Piece = 16 << 20;

    private readonly SftpSessionContext _context;
    private readonly SftpRenamer _renamer;

    public SftpCopier(SftpSessionContext context, SftpRenamer renamer)
    {
        _context = context;
        _renamer = renamer;
    }

    /// <summary>Copies one file; null: the server does not copy.</summary>
    public async ValueTask<WorkOutcome.Done?> CopyAsync(FileCopy copy, CancellationToken ct)
    {
        if (!_context.Offers(SftpExtension.CopyData)) return null;
        await _context.Users.ResolveUsersAsync([copy.Source, copy.Target], ct).ConfigureAwait(false);
        var (source, target) = (_context.Expand(copy.Source), _context.Expand(copy.TemporaryPath ?? copy.Target));
        // Opening the target would empty the source.
        if (source == target)
            throw new TransferException(TransferError.Denied, $"{copy.Source} is not copied onto itself.") { RemotePath = copy.Target };
        ct.ThrowIfCancellationRequested();
        var operations = _context.Operations;
        var read = await operations.OpenAsync(source, SftpOpenFlags.Read, default, CancellationToken.None).ConfigureAwait(false);
        if (read.Handle is not { } from) throw SftpErrors.ToException(read, "OPEN", copy.Source);
        var stat = operations.FStatAsync(from);
        var flags = SftpOpenFlags.Write | SftpOpenFlags.Create
            | (copy is { TemporaryPath: null, Replace: true } ? SftpOpenFlags.Truncate : SftpOpenFlags.New);
        var attributes = SftpTimes.ToAttributes(copy.Metadata);
        var replaced = copy.Replace ? _context.Expand(copy.Target) : null;
        var mode = new SftpFileMode(_context, target, replaced, copy.TemporaryPath is not null, copy.Metadata?.Mode, copy.SourceMode);
        mode.RequestReplaced();
        var write = await operations.OpenAsync(target, flags, new SftpAttributes { Permissions = mode.Created },
            CancellationToken.None).ConfigureAwait(false);
        var found = await stat.ConfigureAwait(false);
        await mode.DecideAsync(found.Attributes.Mode).ConfigureAwait(false);
        if (write.Handle is not { } to)
        {
            operations.PostClose(from);
            throw copy is { TemporaryPath: null, Replace: false }
                && (await operations.StatAsync(target, follow: false, CancellationToken.None).ConfigureAwait(false)).IsOk
                ? SftpRenamer.Exists(copy.Target) : OpenRefusal.Of(_context, write, copy.Target, copy.TemporaryPath is not null);
        }

        var run = new Run(from, to, found.Attributes.Length, mode);
        if (mode.BeforeContent is { } own
            && await operations.FSetStatAsync(to, new SftpAttributes { Permissions = own }).ConfigureAwait(false) is { IsOk: false } kept)
        {
            Log.AttributesNotSet(_context.Logger, copy.Target, (uint)kept.Status);
        }

        try
        {
            await CopyPiecesAsync(copy, run, ct).ConfigureAwait(false);
        }
        finally
        {
            operations.PostClose(from);
        }
        await FinishAsync(copy, run, attributes, ct).ConfigureAwait(false);
        return run.Unsupported ? null : new WorkOutcome.Done(run.Copied, run.Verified);
    }

    private async ValueTask CopyPiecesAsync(FileCopy copy, Run run, CancellationToken ct)
    {
        if (run.Length is null or 0)
        {
            // A file without a length may have content all the same.
            var whole = await _context.Operations.CopyDataAsync(run.From, 0, 0, run.To, 0).ConfigureAwait(false);
            run.Take(whole, copy.Source);
            return;
        }
        while (run.Copied < run.Length && run.Error is null && !ct.IsCancellationRequested)
        {
            var piece = Math.Min(Piece, run.Length.Value - run.Copied);
            var reply = await _context.Operations.CopyDataAsync(run.From, run.Copied, piece, run.To, run.Copied).ConfigureAwait(false);
            if (!run.Take(reply, copy.Source)) return;
            run.Copied += piece;
            copy.Moved?.Invoke(piece);
        }
    }

    private async ValueTask FinishAsync(FileCopy copy, Run run, SftpAttributes attributes, CancellationToken ct)
    {
        var (operations, isUnordered) = (_context.Operations, _context.IsUnordered);
        var sync = copy.FlushToDisk && run.Error is null
            && _context.Offers(SftpExtension.FSync) ? operations.FSyncAsync(run.To) : (PendingReply?)null;
        attributes = attributes with { Permissions = attributes.Permissions ?? run.Mode.AfterContent };
        var set = SftpTimes.IsEmpty(attributes) || run.Error is not null
            ? (PendingReply?)null : operations.FSetStatAsync(run.To, attributes);
        var unset = default(SftpAttributes);
        if (isUnordered) await TakeAsync().ConfigureAwait(false);
        var closed = operations.CloseAsync(run.To);
        var looked = isUnordered ? (PendingReply?)null : Look();
        if (!isUnordered) await TakeAsync().ConfigureAwait(false);
        var close = await closed.ConfigureAwait(false);
        if (!close.IsOk) run.Error ??= SftpErrors.ToException(close, "CLOSE", copy.Target, TransferError.Quota);
        var canceled = ct.IsCancellationRequested && run.Error is null;
        var look = await (looked ?? Look()).ConfigureAwait(false);
        // The look may have overtaken CLOSE.
        if (!canceled && run.Error is null && run.IsWrong(SftpRenamer.Sight(look))) look = await Look().ConfigureAwait(false);
        var (file, seen) = (look.IsOk ? look.Attributes : default, SftpRenamer.Sight(look));
        if (copy.Verify >= VerificationMode.Size && seen.Length is { } there && there == run.Length) run.Verified = VerificationMode.Size;
        if (run.Length is null or 0) run.Copied = seen.Length ?? 0;
        if (!canceled && copy.Verify >= VerificationMode.Size && run.IsWrong(seen))
        {
            run.Error ??= new TransferException(TransferError.Integrity, seen.State == NameState.Absent
                ? $"{copy.Target}: the server confirmed the copy, and does not show it."
                : $"{copy.Target}: {run.Length} bytes were to be copied, and {seen.Length} are there.")
            { RemotePath = copy.Target };
        }

        if (run.Error is null && !canceled && run.Mode.IsPending && copy.TemporaryPath is not null)
            unset = unset with { Permissions = await run.Mode.DecidePendingAsync(file).ConfigureAwait(false) ?? unset.Permissions };
        if (run.Error is null && !canceled && !SftpTimes.IsEmpty(unset)) await SetLateAsync(copy, unset).ConfigureAwait(false);
        if (run.Error is null && !canceled && copy.TemporaryPath is not null)
        {
            run.Error = await _renamer.RunAsync(NamingOf(copy, run), CancellationToken.None).ConfigureAwait(false);
            // A file without its final name is deleted, or named in the error.
            if (run.Error is not null) throw run.Error;
        }
        if (run.Error is null && !canceled) return;
        // A file written in place keeps the name: another program may be reading it.
        if (copy.TemporaryPath is not null || !copy.Replace) await DeleteAsync(copy.TemporaryPath ?? copy.Target).ConfigureAwait(false);
        if (canceled) ct.ThrowIfCancellationRequested();
        if (!run.Unsupported) throw run.Error!;

        async ValueTask TakeAsync()
        {
            if (sync is { } syncing && await syncing.ConfigureAwait(false) is { IsOk: false } unsynced)
                run.Error ??= SftpErrors.ToException(unsynced, "fsync", copy.Target, TransferError.Quota);
            if (set is { } asked && await asked.ConfigureAwait(false) is { IsOk: false } refused)
            {
                Log.AttributesNotSet(_context.Logger, copy.Target, (uint)refused.Status);
                unset = attributes;
            }
        }

        // A file written in place may have a link's name.
        PendingReply Look() => operations.StatAsync(_context.Expand(copy.TemporaryPath ?? copy.Target), follow: copy.TemporaryPath is null,
            CancellationToken.None);
    }

    private async ValueTask SetLateAsync(FileCopy copy, SftpAttributes attributes)
    {
        var reply = await _context.Operations.SetStatAsync(_context.Expand(copy.TemporaryPath ?? copy.Target), attributes,
            CancellationToken.None).ConfigureAwait(false);
        if (!reply.IsOk) SftpFileMode.HandleRefusal(_context, copy.Target, attributes, reply.Status);
    }

    private static Renaming NamingOf(FileCopy copy, Run run) => new(copy.TemporaryPath!, copy.Target)
    {
        IsTemporary = true,
        Replace = copy.Replace,
        Length = run.Copied,
        Modified = copy.Metadata?.Modified,
        Asides = copy.Asides,
    };

    private async ValueTask DeleteAsync(string path)
    {
        if (await _renamer.DeleteAsync(path, CancellationToken.None).ConfigureAwait(false) is { Error: not TransferError.NotFound } left)
            Log.TemporaryFileLeft(_context.Logger, path, (uint)(left.ServerCode ?? 0));
    }

    /// <summary>A copy under way.</summary>
    private sealed class Run(byte[] from, byte[] to, long? length, SftpFileMode mode)
    {
        public SftpFileMode Mode => mode;

        public byte[] From => from;

        public byte[] To => to;

        public long? Length => length;

        public long Copied { get; set; }

        public VerificationMode Verified { get; set; } = VerificationMode.Reply;

        public TransferException? Error { get; set; }

        /// <summary>Whether a look shows another file than the copy.</summary>
        public bool IsWrong(NameSight seen) =>
            seen.State == NameState.Absent || length > 0 && seen is { State: NameState.File, Length: { } there } && there != length;

        /// <summary>Whether the server refuses the announced extension.</summary>
        public bool Unsupported { get; private set; }

        public bool Take(in SftpReply reply, string path)
        {
            if (reply.IsOk) return true;
            Unsupported = reply.Status == SftpStatus.Unsupported;
            Error = reply.Status == SftpStatus.EndOfFile
                ? new TransferException(TransferError.Integrity, $"{path} became shorter while it was copied.") { RemotePath = path }
                : SftpErrors.ToException(reply, "copy-data", path, TransferError.Quota);
            return false;
        }
    }
}
