using Transfer.Engine;

namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>Opens a remote file for reading. The stream is asynchronous, forward only; disposed early, the rest is not fetched.</summary>
    /// <exception cref="TransferException">Thrown here or by a read: the file is absent, not readable, or the connection was lost.</exception>
    public virtual async ValueTask<Stream> OpenReadAsync(string path, ReadOptions? options = null, CancellationToken ct = default)
    {
        var full = Resolve(path);
        return await FileJobs.OpenReadAsync(_engine, full, options ?? new ReadOptions(), ct).ConfigureAwait(false);
    }

    /// <summary>Opens a remote file for writing; it appears with <see cref="TransferWriteStream.CommitAsync"/>. The stream is asynchronous, forward only.</summary>
    /// <exception cref="TransferException">Thrown here or by a write: the file exists, may not be written, or the connection was lost.</exception>
    public virtual async ValueTask<TransferWriteStream> OpenWriteAsync(string path, UploadOptions? options = null, CancellationToken ct = default)
    {
        var full = Resolve(path);
        return await FileJobs.OpenWriteAsync(_engine, full, options ?? new UploadOptions(), ct).ConfigureAwait(false);
    }

    /// <summary>Uploads a stream from its position to its end. The stream is left open. One that cannot seek is not tried again after a loss.</summary>
    /// <exception cref="TransferException">The file did not arrive; nothing was published.</exception>
    public Task<TransferResult> UploadAsync(
        Stream source, string remotePath, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        return FileJobs.UploadAsync(_engine, () => new StreamSource(source), Resolve(remotePath), options ?? new UploadOptions(), progress, ct);
    }

    /// <summary>Downloads a file into a stream at its position. The stream is left open. One that cannot seek is not tried again after a loss.</summary>
    /// <exception cref="TransferException">The file did not arrive whole; what was written stays written.</exception>
    public Task<TransferResult> DownloadAsync(
        string remotePath, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return FileJobs.DownloadAsync(_engine, Resolve(remotePath), destination, options ?? new DownloadOptions(), progress, ct);
    }

    /// <summary>Uploads a local file.</summary>
    /// <exception cref="TransferException">The file did not arrive; nothing was published.</exception>
    public Task<TransferResult> UploadFileAsync(
        string localPath, string remotePath, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken ct = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(localPath);
        return FileJobs.UploadFileAsync(_engine, LocalPath.Full(localPath), Resolve(remotePath), options ?? new UploadOptions(), progress, ct);
    }

    /// <summary>Downloads into a local file. Its directory must exist.</summary>
    /// <exception cref="TransferException">The file did not arrive whole; nothing was published.</exception>
    public Task<TransferResult> DownloadFileAsync(
        string remotePath, string localPath, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken ct = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(localPath);
        return FileJobs.DownloadFileAsync(_engine, Resolve(remotePath), LocalPath.Full(localPath), options ?? new DownloadOptions(), progress, ct);
    }

    /// <summary>Copies a file to another server (or another path of this one) through this machine, never onto its disk.</summary>
    /// <exception cref="TransferException">
    /// The file did not arrive; nothing was published. <see cref="TransferError.Unsupported"/>: source and target are one client
    /// that may open one session only; two are needed.
    /// </exception>
    public Task<TransferResult> CopyFileAsync(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        UploadOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return CopyJobs.CopyFileAsync(
            _engine, Resolve(sourcePath), destination._engine, destination.Resolve(destinationPath), options ?? new UploadOptions(), progress, ct);
    }
}
