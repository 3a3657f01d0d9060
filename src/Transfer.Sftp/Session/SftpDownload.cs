using System.Runtime.CompilerServices;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// A download: OPEN; then FSTAT and READs back to back, as many as fill the network link. A small file of known length is closed in the
/// same flight and takes two round trips. Where the handle can be predicted, FSTAT and READs leave with the OPEN (ADR 11). Content is
/// written in order, whatever the order of the replies.
/// </summary>
internal sealed class SftpDownload : SftpWork
{
    // The most READs under way while the end is unknown.
    private const int BlindReads = 4;
    private const long SmallFile = 1 << 20;
    private const int LeastChunk = 4096;

    // Files that report length 0 and have content (/proc) have little; an endless reply is not read for ever.
    private const long MostOfNothing = 64 << 20;

    private readonly DownloadSource _source;
    private readonly Queue<(PendingReply Reply, long Offset, int Count)> _reads = new();
    private TransferException? _error;
    private int _chunk;
    private long _next;
    private long _position;
    private long? _size;
    private bool _hasNoLength; // the server was asked, and told no length: the file ends where it ends
    private bool _ended;
    private bool _closedTooSoon;
    private PendingReply? _look;
    private bool _expectsHandle;

    public SftpDownload(SftpSessionContext context, WorkItem item, Action allAsked)
        : base(context, item, allAsked)
    {
        _source = new DownloadSource(item);
        _position = item.Offset;
        _chunk = context.Limits.Read;
    }

    // The end of the file, as far as known. A reported 0 does not count: such a file may have content (/proc).
    // Where the server reports no length, one byte more than the length known before shows that the file is longer: an endless reply is not
    // read for ever.
    private long? KnownEnd => _size is > 0 ? _size : Item.Content.Length is > 0 and var told ? _hasNoLength ? told + 1 : told : null;

    private long Limit => Math.Min(Item.End, KnownEnd ?? (ReportsZeroLength ? Item.Offset + MostOfNothing : long.MaxValue));

    private bool ReportsZeroLength => (_size ?? Item.Content.Length) == 0;

    protected override async Task<WorkOutcome> MoveAsync(CancellationToken stop)
    {
        for (var first = true; ; first = false)
        {
            await Context.Handles.TakeAsync().ConfigureAwait(false);
            if (first && (stop.IsCancellationRequested || Context.Engine.Fault is not null))
            {
                Context.Handles.Return();
                return new WorkOutcome.Untouched { Reason = Context.Engine.Fault };
            }
            _next = _position;
            SftpReply? ahead = first && Context.ExpectedHandle is { } expected
                ? await OpenAheadAsync(expected).ConfigureAwait(false) : null;
            // FAILURE may mean that too many are open.
            var open = ahead is { Status: not SftpStatus.Failure } known
                ? known : await Context.Opener.OpenAsync(this, static (_, work) => work.Open()).ConfigureAwait(false);
            if (open.Handle is not { } handle)
            {
                Context.Handles.Return();
                return new WorkOutcome.Failed(SftpErrors.ToException(open, "OPEN", Item.Path));
            }
            var isUnordered = Context.IsUnordered;
            if (first && !Context.Server.ShortReads && !isUnordered && Item.Content.Length is { } length
                && Math.Min(length, Item.End) - Item.Offset <= SmallFile)
            {
                await ReadSmallAsync(handle, stop).ConfigureAwait(false);
            }
            else
            {
                await ReadLargeAsync(handle, stop).ConfigureAwait(false);
            }

            if (_error is not null && !isUnordered && Context.IsUnordered) _error = WithOrderLost(_error);
            if (_error is not null) return new WorkOutcome.Failed(_error);
            if (_source.HasChanged) return WorkOutcome.Failed.Rewritten(Item.Path, _position);
            // The file is longer than reported, or came in shorter pieces than requested: the rest needs another OPEN.
            if (!_closedTooSoon) return Outcome();
            _closedTooSoon = false;
        }
    }

    // Nothing remains at the server; the item counts as begun once bytes have reached the local end, or the server was silent to it: the
    // OPEN of a pipe without a writer has no end.
    protected override WorkOutcome WhenLost(TransferConnectionException lost)
    {
        // Perhaps the requests with a predicted handle ended the session.
        if (_expectsHandle) Context.Server.HasUnpredictableHandles = true;
        return _position == Item.Offset && !IsUnanswered
            ? new WorkOutcome.Untouched { Reason = lost } : new WorkOutcome.InDoubt(false, lost);
    }

    private bool IsUnanswered => Context.Engine.WasSilentTo(_source.Opening) || Context.Engine.WasSilentTo(_source.Described)
        || _reads.TryPeek(out var oldest) && Context.Engine.WasSilentTo(oldest.Reply);

    /// <summary>Opens the file, and requests content with the predicted handle, as much as fills the network link.</summary>
    private async ValueTask<SftpReply> OpenAheadAsync(byte[] expected)
    {
        _expectsHandle = true;
        var opening = Open();
        _look = Stat(expected);
        while (TryAsk(expected) && KnownEnd is not null && _next < Limit)
        {
            // One READ where the end is not known.
        }
        var open = await opening.ConfigureAwait(false);
        if (!open.Handle.AsSpan().SequenceEqual(expected))
        {
            await DropAsync().ConfigureAwait(false);
            if (open.IsOk)
            {
                Context.Server.HasUnpredictableHandles = true;
                Log.HandleNotExpected(Context.Logger);
            }
        }
        _expectsHandle = false;
        return open;
    }

    // The replies belong to no file, and the content is requested again.
    private async ValueTask DropAsync()
    {
        if (TakeLook() is { } look) await look.ConfigureAwait(false);
        while (_reads.TryDequeue(out var read))
        {
            Context.Engine.Buffers.Return((await read.Reply.ConfigureAwait(false)).Buffer);
            Context.Receiving.Return(read.Count, 0);
        }
        _next = _position;
    }

    private PendingReply? TakeLook()
    {
        var look = _look;
        _look = null;
        return look;
    }

    private async ValueTask ReadSmallAsync(byte[] handle, CancellationToken stop)
    {
        var stat = TakeLook() ?? Stat(handle);
        var isOneFlight = true;
        for (var nothing = _reads.Count == 0; nothing || (_error is null && _next < Limit && KnownEnd is not null); nothing = false)
        {
            if (TryAsk(handle)) continue;
            isOneFlight &= _next == Item.Offset;
            await AskAsync(handle, stop).ConfigureAwait(false);
        }
        // Behind a wait the file may have changed since its first bytes were read.
        var last = !isOneFlight && Item.Verify >= VerificationMode.Size && stat is not null && _error is null
            ? Operations.FStatAsync(handle) : (PendingReply?)null;
        Close(handle);
        OnAllRequested();
        await TakeSizeAsync(stat).ConfigureAwait(false);
        while (_reads.TryPeek(out var oldest))
            await TakeReadAsync(await oldest.Reply.ConfigureAwait(false), null, stop).ConfigureAwait(false);
        if (last is { } look) _source.NoteLast((await look.ConfigureAwait(false)).Attributes);
        _closedTooSoon |= _error is null && !_ended && _position < Limit;
    }

    private async ValueTask ReadLargeAsync(byte[] handle, CancellationToken stop)
    {
        var stat = TakeLook() ?? Stat(handle);
        for (var sized = false; ; sized = true)
        {
            while (_error is null && !_ended && _next < Limit && (KnownEnd is not null || _reads.Count < BlindReads) && TryAsk(handle))
            {
                // Until the link is full.
            }
            if (!sized)
            {
                await TakeSizeAsync(stat).ConfigureAwait(false);
                continue;
            }
            if (_next >= Limit)
            {
                // After the last READ: the attributes then cover all content read.
                if (Item.IsSegment || MayHaveChanged) _source.LastLook ??= Operations.FStatAsync(handle);
                OnAllRequested();
            }
            // All waits are here and none deeper: an async method that waits once a request allocates one object a request.
            if (_reads.TryPeek(out var oldest))
                await TakeReadAsync(await oldest.Reply.ConfigureAwait(false), handle, stop).ConfigureAwait(false);
            else if (_error is null && !_ended && _next < Limit) await AskAsync(handle, stop).ConfigureAwait(false);
            else break;
        }
        // The end showed before it was reached by requests.
        if (_ended && MayHaveChanged) _source.LastLook ??= Operations.FStatAsync(handle);
        var look = _source.LastLook;
        _source.LastLook = null;
        if (_source.IsLastLookEarly && look is { } early)
        {
            await early.ConfigureAwait(false);
            look = Operations.FStatAsync(handle);
        }
        // CLOSE might overtake.
        var seen = look is { } first && Context.IsUnordered ? (await first.ConfigureAwait(false)).Attributes : (SftpAttributes?)null;
        Close(handle);
        OnAllRequested();
        if (look is not { } last) return;
        _source.NoteLast(seen ?? (await last.ConfigureAwait(false)).Attributes);
    }

    // Whether the last READ leaves long enough behind the first that another look pays.
    private bool MayHaveChanged => _source.IsKnown && !ReportsZeroLength && _next - Item.Offset > SmallFile;

    private PendingReply Open() => _source.Opening = Operations.OpenAsync(Path, SftpOpenFlags.Read, default, CancellationToken.None);

    private PendingReply? Stat(byte[] handle) =>
        Item.Verify >= VerificationMode.Size || Item.Content.Length is null ? _source.Described = Operations.FStatAsync(handle) : null;

    private async ValueTask TakeSizeAsync(PendingReply? stat)
    {
        if (stat is not { } asked) return;
        var attributes = (await asked.ConfigureAwait(false)).Attributes;
        // The rest of a file that was closed too soon is that of the file opened first.
        if (_source.IsKnown)
        {
            _source.NoteLast(attributes);
            return;
        }
        _size = attributes.Length;
        _hasNoLength = _size is null;
        _source.NoteFirst(attributes);
    }

    // Of a segment: its share in the bytes that the file may have under way.
    private bool HasWindow => _reads.Count == 0 || Item.Window is not { } window || _next - _position < window;

    private bool TryAsk(byte[] handle)
    {
        if (!HasWindow) return false;
        var count = Claim();
        if (count == 0 || !Context.Receiving.TryTake(count)) return false;
        Ask(handle, count);
        return true;
    }

    // Takes the file's own oldest reply first, which frees room. Without one, room must come from other files.
    private async ValueTask AskAsync(byte[] handle, CancellationToken stop)
    {
        if (_reads.TryPeek(out var oldest))
        {
            await TakeReadAsync(await oldest.Reply.ConfigureAwait(false), handle, stop).ConfigureAwait(false);
            return;
        }
        var count = Claim();
        if (count == 0) return;
        await Context.Receiving.TakeAsync(count).ConfigureAwait(false);
        Ask(handle, count);
    }

    // Of an empty file one byte is requested, to prove the end.
    private int Claim() => Item.Claim(_next, (int)Math.Clamp(Limit - _next, 1, Math.Min(_chunk, Context.Receiving.MostRequest)));

    private void Ask(byte[] handle, int count)
    {
        _reads.Enqueue((Operations.ReadAsync(handle, _next, count), _next, count));
        _next += count;
    }

    private void Close(byte[] handle)
    {
        Operations.PostClose(handle);
        // The server takes requests in order: this one will be closed before the next is opened.
        Context.Handles.Return();
    }

    /// <summary>Takes the content of the oldest READ; requests missing bytes while the handle is open.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask TakeReadAsync(SftpReply reply, byte[]? handle, CancellationToken stop)
    {
        var (_, offset, count) = _reads.Dequeue();
        var got = 0;
        try
        {
            while (true)
            {
                if (!await TakeAsync(reply, stop).ConfigureAwait(false)) return;
                got += reply.Count;
                if (got == count || _position >= Limit) return;
                if (_position < KnownEnd) NoteShort(reply.Count);
                if (handle is null)
                {
                    _closedTooSoon = true;
                    return;
                }
                _source.IsLastLookEarly |= _source.LastLook is not null;
                reply = await Operations.ReadAsync(handle, offset + got, count - got).ConfigureAwait(false);
            }
        }
        finally
        {
            Context.Receiving.Return(count, got);
        }
    }

    // False: this READ has ended, and perhaps all others.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> TakeAsync(SftpReply reply, CancellationToken stop)
    {
        try
        {
            if (_error is not null || _ended || _closedTooSoon) return false;
            if (stop.IsCancellationRequested)
            {
                _error = Canceled();
            }
            else if (reply.Status == SftpStatus.EndOfFile)
            {
                _ended = true;
            }
            else if (!reply.IsOk)
            {
                _error = SftpErrors.ToException(reply, "READ", Item.Path, TransferError.Unknown);
            }
            else if (reply.Count == 0)
            {
                _error = new TransferException(TransferError.Protocol,
                    $"READ {Item.Path}: the server sent data without a byte.")
                { RemotePath = Item.Path };
            }

            if (_error is not null || _ended) return false;
            await Item.Content.WriteAsync(_position, reply.Buffer.AsMemory(0, reply.Count), stop).ConfigureAwait(false);
            _position += reply.Count;
            Item.Report(reply.Count);
            return true;
        }
        catch (Exception e)
        {
            _error = LocalError(e, stop);
            return false;
        }
        finally
        {
            Context.Engine.Buffers.Return(reply.Buffer);
        }
    }

    private void NoteShort(int count)
    {
        if (!Context.Server.ShortReads)
        {
            Context.Server.ShortReads = true;
            Log.ShortReads(Context.Logger, count);
        }
        _chunk = Math.Clamp(count, LeastChunk, _chunk < LeastChunk ? LeastChunk : _chunk);
    }

    private WorkOutcome Outcome()
    {
        var moved = _position - Item.Offset;
        var told = _size ?? Item.Content.Length;
        if (ReportsZeroLength && moved == MostOfNothing && Item.End > _position)
        {
            return new WorkOutcome.Failed(new TransferException(TransferError.Integrity,
                $"{Item.Path} has no bytes, as the server says, and does not end after {moved}.")
            { RemotePath = Item.Path });
        }

        if (Item.Verify < VerificationMode.Size || told is null || told == 0 && moved > 0)
            return new WorkOutcome.Done(moved, VerificationMode.Reply) { Source = _source.Stamp };
        var expected = Math.Max(0, Math.Min(Item.End, told.Value) - Item.Offset);
        return moved == expected
            ? new WorkOutcome.Done(moved, VerificationMode.Size) { Source = _source.Stamp }
            : new WorkOutcome.Failed(
                new TransferException(TransferError.Integrity, $"{Item.Path}: {moved} bytes arrived of {expected}.")
                { RemotePath = Item.Path })
            { Arrived = _ended && !Item.IsSegment ? _position : null };
    }
}
