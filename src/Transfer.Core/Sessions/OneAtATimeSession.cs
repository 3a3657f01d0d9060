namespace Transfer.Sessions;

/// <summary>
/// Base of sessions that move one file at a time: a provider supplies the plain operations, and this class does the
/// rest of a session's duty: temporary name, verification, publishing, and an outcome for every item in every case.
/// </summary>
public abstract class OneAtATimeSession : TransferSession
{
    /// <summary>Writes a new file, replacing what is there, and returns when the server has confirmed it.</summary>
    /// <param name="path">The name to write under: <see cref="WorkItem.TemporaryPath"/>, else <see cref="WorkItem.Path"/>.</param>
    /// <param name="content">What to write, from its position to its end. It reports progress by itself.</param>
    /// <param name="item">What the file is for; its outcome is not the provider's business.</param>
    /// <param name="ct">Fires when the item or the session is given up.</param>
    protected abstract Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken ct);

    /// <summary>Reads a file from <see cref="WorkItem.Offset"/> up to <see cref="WorkItem.End"/>, or to the file's end if that comes first.</summary>
    /// <param name="path">The remote file.</param>
    /// <param name="destination">Where to write it. It reports progress by itself.</param>
    /// <param name="item">What the file is for; its outcome is not the provider's business.</param>
    /// <param name="ct">Fires when the item or the session is given up.</param>
    protected abstract Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken ct);

    /// <inheritdoc/>
    public override Task RunAsync(IWorkSource work, CancellationToken abort) => throw new NotImplementedException();
}
