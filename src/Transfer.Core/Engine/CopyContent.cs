using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>
/// The content of a copy between servers: what the uploading session reads is what a session of the source writes at that
/// moment. A small file is fetched as soon as the upload is taken, because it fits into the pipe and can block
/// nobody; a larger one when the first byte is asked for, so that no session of the source waits for a reader that is not there yet.
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
        if (Length <= SmallFile) Begin();
    }

    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        // The pipe ends only when the source's session has verified the file: a source cut short never looks like a whole one.
        try
        {
            var read = await Begin().ReadAsync(offset, buffer, ct).ConfigureAwait(false);
            _read = offset + read;
            _ended = read == 0 && buffer.Length > 0;
            return read;
        }
        catch (TransferConnectionException e)
        {
            // The source's connection; the uploading session must not take it for its own.
            throw new TransferException(e.Error, $"Reading the source failed: {e.Message}", e) { RemotePath = e.RemotePath };
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
    }

    public ValueTask DisposeAsync() => ResetAsync();

    private DownloadPipe Begin()
    {
        if (_pipe is not null) return _pipe;
        _cancel = new CancellationTokenSource();
        var file = new JobFile
        {
            Name = _path,
            Kind = WorkKind.Download,
            RemotePath = _path,
            Content = _pipe = new DownloadPipe(length: Length),
            Canceled = _cancel.Token,
        };
        _source.Fetch(file, _pipe);
        return _pipe;
    }
}
