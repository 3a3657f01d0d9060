using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>
/// The content of a copy between servers: the uploading session reads the bytes that a session of the source receives at that moment. A
/// small file is fetched as soon as the upload is taken, if the whole file has room, because a file that fits into the pipe blocks no
/// other; any other file when the first byte is requested, so that no session of the source waits for an absent reader. Where the source
/// has ranges a session of its own reads each segment of a large file.
/// </summary>
internal sealed class CopyContent : EngineContent, IAsyncDisposable
{
    /// <summary>The length up to which a file is fetched ahead of the upload.</summary>
    internal const long SmallFile = 64 * 1024;

    private readonly CopySource _source;
    private readonly string _path;
    private readonly DateTimeOffset? _modified;
    private readonly CopyContent? _whole;
    private readonly IContentRange? _part;
    private readonly List<FileStamp?> _stamps = []; // of the file, as the sessions that read its parts reported them
    private JobFile? _file;
    private DownloadPipe? _pipe;
    private CancellationTokenSource? _cancel;
    private long _read;
    private bool _ended;
    private bool _hasPlace;
    private long? _length;

    /// <param name="source">The reading half of the copy.</param>
    /// <param name="path">The path at the source.</param>
    /// <param name="length">The length, if known.</param>
    /// <param name="modified">The time, if known.</param>
    public CopyContent(CopySource source, string path, long? length, DateTimeOffset? modified)
    {
        _source = source;
        _path = path;
        _modified = modified;
        _length = length;
    }

    private CopyContent(CopyContent whole, IContentRange part)
        : this(whole._source, whole._path, whole.Length, whole._modified)
    {
        _whole = whole;
        _part = part;
    }

    public override long? Length => _length;

    public override bool CanReplay => true;

    public override bool IsRemote => true;

    public override bool HasRanges => Length is not null && _source.HasRanges;

    public override long? WholeLength => _ended ? _read : Length;

    public override void Prepare()
    {
        if (_pipe is null && _part is null && Length is <= SmallFile and var length && _source.TryTakeRoom(length) is { } room)
            Begin(room, 0);
    }

    public override async ValueTask WhenReadableAsync(long offset, CancellationToken ct)
    {
        try
        {
            await (await BeginAsync(offset, ct).ConfigureAwait(false)).WhenReadableAsync(offset, ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException e)
        {
            throw OfSource(e);
        }
    }

    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        // The pipe ends only when the source's session has verified the file: a truncated source never looks complete.
        try
        {
            var pipe = await BeginAsync(offset, ct).ConfigureAwait(false);
            var read = await pipe.ReadAsync(offset, buffer, ct).ConfigureAwait(false);
            _read = offset + read;
            _ended = read == 0 && buffer.Length > 0;
            // No folder can be proved another one by every server, and no name tells hard links.
            if (_ended && _read == 0 && Length > 0 && _source.IsInPlace)
            {
                throw new TransferException(TransferError.Integrity,
                    $"{_path}: none of its {Length} bytes came. The target may be the source itself, and empty since it was opened.")
                { RemotePath = _path };
            }
            // Returned before the outcome of the upload: a session may have sent several files by then, and another session may wait for
            // the place. A reader that knows the length requests no end.
            if (_ended || _read >= (_part?.End ?? Length)) ReturnPlace();
            // A session that appends the rest to a partial file, in one piece, may publish at once, and perhaps requests no end: so the
            // last bytes come only when they are known to belong to the first.
            if (_part is null && pipe.Start > 0 && _ended != (_read >= Length)) await CompareRestAsync(pipe, ct).ConfigureAwait(false);
            // The last bytes of a large file: a look for the end costs little beside them.
            else if (_part is null && !_ended && _read >= Length && Length > SmallFile)
                await EndAtLengthAsync(pipe, ct).ConfigureAwait(false);
            return read;
        }
        catch (TransferConnectionException e)
        {
            throw OfSource(e);
        }
    }

    public override ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        _source.ReadBackAsync(_path, offset, buffer, ct);

    public override EngineContent PartFor(IContentRange range) => new CopyContent(this, range);

    public override async ValueTask VerifyUnchangedAsync() =>
        await _source.Dispatcher.CompareAsync(_path, Length!.Value, _modified, _stamps).ConfigureAwait(false);

    public override async ValueTask FinishAsync(long bytes)
    {
        if (_whole is not null && _pipe is not null)
        {
            // The source's session must reach the end of the range, which verifies the bytes.
            var rest = new byte[1];
            while (await ReadAsync(_read, rest, CancellationToken.None).ConfigureAwait(false) > 0)
            {
            }
            lock (_whole._stamps) _whole._stamps.Add(_file!.Attempts.Source);
        }
        await EndAsync().ConfigureAwait(false);
    }

    public override ValueTask AbandonAsync(TransferException? reason) => EndAsync();

    public override ValueTask ResetAsync()
    {
        // The bytes sent may or may not have arrived.
        _part?.Restart(_part.Start);
        return EndAsync();
    }

    public ValueTask DisposeAsync() => EndAsync();

    // The lost connection is the source's; the uploading session must not be given up over that.
    private static TransferException OfSource(TransferConnectionException e) =>
        new(e.Error, $"Reading the source failed: {e.Message}", e) { RemotePath = e.RemotePath };

    // An earlier run has read the first bytes, of a file of the length and time that this run knows: the source must still have them.
    private async ValueTask CompareRestAsync(DownloadPipe pipe, CancellationToken ct)
    {
        await EndAtLengthAsync(pipe, ct).ConfigureAwait(false);
        await _source.Dispatcher.CompareAsync(_path, Length!.Value, _modified, [_file!.Attempts.Source]).ConfigureAwait(false);
    }

    // A file longer than listed has grown, or the listing was wrong: the next attempt reads to the actual end.
    private async ValueTask EndAtLengthAsync(DownloadPipe pipe, CancellationToken ct)
    {
        if (await pipe.ReadAsync(_read, new byte[1], ct).ConfigureAwait(false) == 0) return;
        var told = _length;
        if (pipe.Start == 0) _length = null;
        throw new TransferException(TransferError.Integrity, $"{_path}: more bytes came than its length of {told}.")
        {
            RemotePath = _path,
            IsTransient = pipe.Start == 0,
        };
    }

    private async ValueTask EndAsync()
    {
        if (_pipe is not { } pipe) return;
        _pipe = null;
        _ended = false;
        await _cancel!.CancelAsync().ConfigureAwait(false);
        await pipe.CompleteReadingAsync().ConfigureAwait(false);
        _cancel.Dispose();
        ReturnPlace();
    }

    private async ValueTask<DownloadPipe> BeginAsync(long offset, CancellationToken ct)
    {
        if (_pipe is not null) return _pipe;
        var place = await _source.TakePlaceAsync(ct).ConfigureAwait(false);
        _hasPlace = true;
        return Begin(place, offset);
    }

    private void ReturnPlace()
    {
        if (_hasPlace) _source.ReturnPlace();
        _hasPlace = false;
    }

    private DownloadPipe Begin(BudgetShare room, long offset)
    {
        _cancel = new CancellationTokenSource();
        _read = offset;
        var spec = new FileSpec
        {
            Name = _path,
            Kind = WorkKind.Download,
            RemotePath = _path,
            Offset = _read,
            ReadFor = _part,
            Canceled = _cancel.Token
        };
        _file = new JobFile(spec, _pipe = new DownloadPipe(room, _read, Length));
        _source.Fetch(_file, _pipe);
        return _pipe;
    }
}
