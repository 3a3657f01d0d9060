using Transfer.Modes;
using Transfer.Replacing;

namespace Transfer.Sessions;

/// <summary>
/// Base of sessions that move one file at a time: a provider supplies the plain operations, and this class does the
/// rest of a session's duty: temporary name, verification, publishing, and an outcome for every item in every case.
/// </summary>
public abstract class OneAtATimeSession : TransferSession
{
    // For deleting a temporary file after a cancellation, when the caller's token has fired.
    private static readonly TimeSpan CleanUpTime = TimeSpan.FromSeconds(5);

    /// <summary>The clock for the session's waits: that of the client.</summary>
    protected virtual TimeProvider TimeProvider => TimeProvider.System;

    /// <summary>Writes a file, replacing an existing one, and returns when the server has confirmed the content.</summary>
    /// <param name="path">The name for writing: <see cref="WorkItem.TemporaryPath"/>, else <see cref="WorkItem.Path"/>.</param>
    /// <param name="content">The content to write, to the end. Reports progress by itself; asynchronous and forward only.</param>
    /// <param name="item">The item of the file; its outcome is not the provider's business.</param>
    /// <param name="cancellationToken">Fires when the item or the session is given up.</param>
    protected abstract Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken cancellationToken);

    /// <summary>
    /// Reads a file from <see cref="WorkItem.Offset"/> up to <see cref="WorkItem.End"/>, or to the file's end if that comes first.
    /// </summary>
    /// <param name="path">The remote file.</param>
    /// <param name="destination">
    /// The stream to write to. Reports progress by itself; asynchronous and forward only. A write beyond the item's end throws; the engine
    /// may lower that end while the file is read, when other sessions take a part of the rest.
    /// </param>
    /// <param name="item">The item of the file; its outcome is not the provider's business.</param>
    /// <param name="cancellationToken">Fires when the item or the session is given up.</param>
    protected abstract Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken cancellationToken);

    /// <inheritdoc/>
    public override async Task RunAsync(IWorkSource work, CancellationToken abort)
    {
        ArgumentNullException.ThrowIfNull(work);
        var taken = new WorkItem[1];
        while (Usable)
        {
            abort.ThrowIfCancellationRequested();
            if (await work.TakeAsync(taken, abort).ConfigureAwait(false) == 0) break;
            var item = taken[0];
            item.Complete(await MoveAsync(item, abort).ConfigureAwait(false));
        }
        abort.ThrowIfCancellationRequested();
    }

    // Never throws: every error is an outcome.
    private async Task<WorkOutcome> MoveAsync(WorkItem item, CancellationToken abort)
    {
        if (abort.IsCancellationRequested || item.Canceled.IsCancellationRequested) return new WorkOutcome.Untouched();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(abort, item.Canceled);
        return item.Kind == WorkKind.Upload
            ? await UploadAsync(item, stop.Token).ConfigureAwait(false)
            : await DownloadAsync(item, stop.Token).ConfigureAwait(false);
    }

    private async Task<WorkOutcome> UploadAsync(WorkItem item, CancellationToken ct)
    {
        var path = item.TemporaryPath ?? item.Path;
        var content = new ContentReadStream(item);
        var publishing = false;
        try
        {
            if (item.Offset != 0)
            {
                throw new TransferException(TransferError.Unsupported,
                    "A one-at-a-time session writes whole files only.")
                { RemotePath = item.AskedPath };
            }

            await UploadAsync(path, content, item, ct).ConfigureAwait(false);
            if (content.Fault is not null) throw content.Fault;
            if (!content.Ended)
            {
                throw new TransferException(TransferError.Integrity,
                    $"{item.AskedPath}: the content was not read to its end.")
                { RemotePath = item.AskedPath };
            }

            var verified = item.Verify >= VerificationMode.Size
                ? Compare(item.AskedPath, content.Count,
                    LengthOf(await GetEntryAsync(path, ct).ConfigureAwait(false) ?? throw NotShown(item)))
                : VerificationMode.Reply;
            if (item.Metadata is { } metadata) await SetMetadataAsync(path, metadata, ct).ConfigureAwait(false);
            if (item.IsUnfinished && item.Metadata?.Mode is null)
                await SettleModeAsync(new ModeSettlement(path, item.ReplacedPath, item.SourceMode), ct).ConfigureAwait(false);
            if (item.TemporaryPath is not null)
            {
                publishing = true;
                var renaming = new Renaming(path, item.Path)
                {
                    IsTemporary = true,
                    Replace = item.Replace,
                    Length = content.Count,
                    Modified = item.Metadata?.Modified,
                    Asides = item.Asides
                };
                await RenameAsync(renaming, ct).ConfigureAwait(false);
            }
            if (item.FlushToDisk) await FlushNameAsync(item.Path, ct).ConfigureAwait(false);
            return new WorkOutcome.Done(content.Count, verified) { HasMode = item.LaterPath is not null };
        }
        catch (Exception e)
        {
            var error = ErrorOf(content.Fault ?? e, item);

            // A cancelled rename may have been done; a refused one was not.
            var renaming = publishing && (!Usable || e is OperationCanceledException or TransferConnectionException);
            // Under its own name, the file seen later may be the old one.
            var isAllSent = content is { Ended: true, Fault: null }
                && (item.TemporaryPath is not null || !item.Replace) && !item.FlushToDisk && !item.Canceled.IsCancellationRequested;
            if (!Usable || renaming) return new WorkOutcome.InDoubt(renaming, error) { Moved = isAllSent ? content.Count : null };
            // After a failed rename the file was deleted, or is named in the error.
            if (item.TemporaryPath is not null && !publishing && !await TryDeleteAsync(path).ConfigureAwait(false))
                return new WorkOutcome.InDoubt(false, error);
            return new WorkOutcome.Failed(error)
            {
                Publishing = publishing,
                MayLeavePart = item.TemporaryPath is null && content.Count > 0
            };
        }
    }

    private async Task<WorkOutcome> DownloadAsync(WorkItem item, CancellationToken ct)
    {
        var content = new ContentWriteStream(item);
        try
        {
            await FillAsync(content, item, ct).ConfigureAwait(false);
            if (content.Fault is not null) throw content.Fault;
            if (item.Verify < VerificationMode.Size) return new WorkOutcome.Done(content.Count, VerificationMode.Reply);
            var length = item.Announced ?? item.Content.Length ?? LengthOf(await GetEntryAsync(item.Path, ct).ConfigureAwait(false));
            long? expected = length is { } whole && (whole > 0 || content.Count == 0)
                ? Math.Max(0, Math.Min(item.End, whole) - item.Offset) : null;
            return new WorkOutcome.Done(content.Count, Compare(item.Path, content.Count, expected));
        }
        catch (Exception e)
        {
            var error = ErrorOf(content.Fault ?? e, item);
            if (content.HasExceeded && content.Fault is null) return new WorkOutcome.Failed(error) { Exceeded = item.Announced };
            return Usable ? new WorkOutcome.Failed(error) : new WorkOutcome.InDoubt(false, error);
        }
    }

    // An exception stops the provider at the item's end; the provider may throw another one in response.
    private async Task FillAsync(ContentWriteStream content, WorkItem item, CancellationToken ct)
    {
        try
        {
            await DownloadAsync(item.Path, content, item, ct).ConfigureAwait(false);
        }
        catch (Exception) when (content is { IsAtEnd: true, Fault: null } && Usable)
        {
        }
    }

    private static VerificationMode Compare(string path, long moved, long? found)
    {
        if (found is null) return VerificationMode.Reply;
        return found == moved
            ? VerificationMode.Size
            : throw new TransferException(TransferError.Integrity,
                $"{path}: {moved} bytes were moved, and {found} are there.")
            { RemotePath = path };
    }

    private static long? LengthOf(RemoteEntry? entry) => entry is { IsLengthApproximate: false } ? entry.Length : null;

    private static TransferException NotShown(WorkItem item) =>
        new(TransferError.Integrity,
            $"{item.AskedPath}: the server confirmed the file, and does not show it.")
        { RemotePath = item.AskedPath };

    private static TransferException ErrorOf(Exception exception, WorkItem item) => exception switch
    {
        TransferException transfer => transfer,
        OperationCanceledException =>
            new TransferException(TransferError.Lost, $"{item.AskedPath}: the transfer was cancelled.",
                exception)
            { RemotePath = item.AskedPath },
        _ => new TransferException(TransferError.Protocol, $"{item.AskedPath}: {exception.Message}",
            exception)
        { RemotePath = item.AskedPath },
    };

    private async Task<bool> TryDeleteAsync(string path)
    {
        using var time = new CancellationTokenSource(CleanUpTime, TimeProvider);
        try
        {
            return (await DeleteFilesAsync([path], time.Token).ConfigureAwait(false))[0] is null or { Error: TransferError.NotFound };
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            // Another session may manage the deletion: the outcome reports the leftover.
            return false;
        }
    }
}
