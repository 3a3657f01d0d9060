using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>
/// The content of a copy between servers: what the uploading session reads is what a session of the source writes at that
/// moment. A small file is fetched as soon as the upload is taken, if there is room for all of it, because it fits into the pipe and can block
/// nobody; any other when the first byte is asked for, so that no session of the source waits for a reader that is not there yet.
/// </summary>
internal sealed class CopyContent : EngineContent, IAsyncDisposable
{
    /// <summary>What is fetched ahead of the upload.</summary>
    internal const long SmallFile = 64 * 1024;

    private readonly CopySource _source;
    private readonly string _path;
    private DownloadPipe? _pipe;
    private CancellationTokenSource? _cancel;
    private long _read;
    private bool _ended;
    private bool _hasPlace;

    public CopyContent(CopySource source, string path, long? length)
    {
        _source = source;
        _path = path;
        Length = length;
    }

    public override long? Length { get; }

    public override bool CanReplay => true;

    public override long? WholeLength => _ended ? _read : Length;

    public override void Prepare()
    {
        if (_pipe is null && Length is <= SmallFile and var length && _source.TryTakeRoom(length) is { } room) Begin(room);
    }

    public override async ValueTask WhenReadableAsync(long offset, CancellationToken ct)
    {
        try
        {
            await (await BeginAsync(ct).ConfigureAwait(false)).WhenReadableAsync(offset, ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException e)
        {
            throw OfSource(e);
        }
    }

    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        // The pipe ends only when the source's session has verified the file: a source cut short never looks like a whole one.
        try
        {
            var read = await (await BeginAsync(ct).ConfigureAwait(false)).ReadAsync(offset, buffer, ct).ConfigureAwait(false);
            _read = offset + read;
            _ended = read == 0 && buffer.Length > 0;
            // Not first when the upload has its outcome: a session may have sent several files by then, and another may wait for the place. Whoever knows the length asks for no end.
            if (_ended || _read == Length) ReturnPlace();
            return read;
        }
        catch (TransferConnectionException e)
        {
            throw OfSource(e);
        }
    }

    public override ValueTask FinishAsync(long bytes) => ResetAsync();

    public override ValueTask AbandonAsync(TransferException? reason) => ResetAsync();

    public override async ValueTask ResetAsync()
    {
        if (_pipe is not { } pipe) return;
        _pipe = null;
        _ended = false;
        await _cancel!.CancelAsync().ConfigureAwait(false);
        await pipe.CompleteReadingAsync().ConfigureAwait(false);
        _cancel.Dispose();
        ReturnPlace();
    }

    public ValueTask DisposeAsync() => ResetAsync();

    // The source's connection; the uploading session must not take it for its own.
    private static TransferException OfSource(TransferConnectionException e) =>
        new(e.Error, $"Reading the source failed: {e.Message}", e) { RemotePath = e.RemotePath };

    private async ValueTask<DownloadPipe> BeginAsync(CancellationToken ct)
    {
        if (_pipe is not null) return _pipe;
        var place = await _source.TakePlaceAsync(ct).ConfigureAwait(false);
        _hasPlace = true;
        return Begin(place);
    }

    private void ReturnPlace()
    {
        if (_hasPlace) _source.ReturnPlace();
        _hasPlace = false;
    }

    private DownloadPipe Begin(BufferLease room)
    {
        _cancel = new CancellationTokenSource();
        var file = new JobFile
        {
            Name = _path,
            Kind = WorkKind.Download,
            RemotePath = _path,
            Content = _pipe = new DownloadPipe(room, length: Length),
            Canceled = _cancel.Token,
        };
        _source.Fetch(file, _pipe);
        return _pipe;
    }
}
