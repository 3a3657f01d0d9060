using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>A client in front of another one: it has no sessions of its own.</summary>
internal sealed class DecoratedClient(TransferClient inner) : TransferClient(new Uri("memory://decorated/"))
{
    private int _started;

    /// <summary>Jobs that were started here.</summary>
    public int Started => Volatile.Read(ref _started);

    public override TransferJob StartUploadDirectory(
        string localDirectory, string remotePath, DirectoryOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        Interlocked.Increment(ref _started);
        return inner.StartUploadDirectory(localDirectory, remotePath, options, readItems, progress, cancellationToken);
    }

    public override TransferJob StartUploadFile(
        string localPath, string remotePath, UploadOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        Interlocked.Increment(ref _started);
        return inner.StartUploadFile(localPath, remotePath, options, readItems, progress, cancellationToken);
    }

    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken) =>
        throw new NotSupportedException("The other client has the sessions.");
}
