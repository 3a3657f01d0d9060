using Microsoft.Extensions.Logging;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A spool: a folder in a store, with a folder for each job. Nothing in the store is believed; no name is ever given twice, so nothing need be replaced.</summary>
internal sealed class SpoolStore
{
    /// <summary>Most archives of a job. With confirmations, and what is unfinished, they are all listed.</summary>
    public const int MostArchives = MostFiles - (1 << 12);

    // Who lists more wants to fill our memory.
    private const int MostJobs = 10_000;
    private const int MostFiles = 1 << 20;
    private const int DeletedAtOnce = 8;
    private const int Piece = 32 << 10;

    private readonly TransferClient _client;
    private readonly string _root;
    private readonly ILogger _logger;
    private readonly TransferJobContext? _job;

    /// <param name="client">The store. Belongs to the caller.</param>
    /// <param name="root">The spool's folder in it.</param>
    /// <param name="logger">Is told of what goes wrong and does not matter.</param>
    /// <param name="job">The job, with which its content is paused; null: nothing is.</param>
    public SpoolStore(TransferClient client, string root, ILogger logger, TransferJobContext? job = null)
    {
        _client = client;
        _root = root;
        _logger = logger;
        _job = job;
    }

    /// <summary>What tells this spool from others, for those who fetch from several: its address, without a password.</summary>
    public string Name => $"{_client.Endpoint} {(_root.StartsWith('/') ? "/" : string.Empty)}{string.Join('/', _root.Split('/', StringSplitOptions.RemoveEmptyEntries).Where(part => part != "."))}";

    /// <summary>Where a file is, for messages.</summary>
    public string PathOf(JobId job, string name) => RemotePath.Combine(FolderOf(job), name);

    /// <summary>Makes the folder of a job, with the spool's own.</summary>
    public ValueTask CreateAsync(JobId job, CancellationToken ct) => _client.CreateDirectoryAsync(FolderOf(job), parents: true, ct);

    /// <summary>Jobs that are there; none where there is no such folder.</summary>
    public async ValueTask<IReadOnlyList<JobId>> ListJobsAsync(CancellationToken ct)
    {
        var jobs = new List<JobId>();
        try
        {
            await foreach (var entry in _client.ListAsync(_root, options: null, ct).ConfigureAwait(false))
            {
                if (SpoolNames.JobOf(entry.Name) is not { } job) continue;
                jobs.Add(job);
                if (jobs.Count < MostJobs) continue;
                Log.SpoolFull(_logger, MostJobs);
                break;
            }
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            // Nobody has sent anything yet.
        }
        return jobs;
    }

    /// <summary>What is in a job's folder; null: there is none (any more).</summary>
    /// <param name="job">The job.</param>
    /// <param name="below">Archives with greater numbers are left out.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<SpoolListing?> ListAsync(JobId job, long below, CancellationToken ct)
    {
        var listing = new SpoolListing();
        var files = 0;
        try
        {
            await foreach (var entry in _client.ListAsync(FolderOf(job), options: null, ct).ConfigureAwait(false))
            {
                listing.IsEmpty = false;
                if (++files > MostFiles) throw new TransferException(TransferError.Protocol, $"{FolderOf(job)} has more than {MostFiles} files.");
                Add(listing, entry, below);
            }
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return null;
        }
        // Some servers list what is not there as empty.
        return listing.IsEmpty && await _client.GetEntryAsync(FolderOf(job), ct).ConfigureAwait(false) is null ? null : listing;
    }

    /// <summary>When something last came into a job's folder, or went from it, by the store's clock; null: the store does not say, or there is none.</summary>
    public async ValueTask<DateTimeOffset?> GetTimeAsync(JobId job, CancellationToken ct) => (await _client.GetEntryAsync(FolderOf(job), ct).ConfigureAwait(false))?.Modified;

    /// <summary>Opens a file to be read; null: it is not there.</summary>
    public async ValueTask<Stream?> OpenAsync(JobId job, string name, long? most, CancellationToken ct)
    {
        try
        {
            var stream = await _client.OpenReadAsync(PathOf(job, name), new ReadOptions { Length = most, Sequential = true }, ct).ConfigureAwait(false);
            return _job is null ? stream : new PausedReadStream(stream, _job);
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return null;
        }
    }

    /// <summary>Reads a record; null: it is not there.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: it is too long.</exception>
    public async ValueTask<byte[]?> ReadAsync(JobId job, string name, CancellationToken ct)
    {
        if (await OpenAsync(job, name, SealedRecord.MostLength + 1, ct).ConfigureAwait(false) is not { } stream) return null;
        await using var streamEnd = stream.ConfigureAwait(false);
        using var content = new MemoryStream();
        try
        {
            await stream.CopyToAsync(content, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return null;
        }
        return content.Length <= SealedRecord.MostLength ? content.ToArray() : throw new TransferException(TransferError.Protocol, $"{PathOf(job, name)} is too long.");
    }

    /// <summary>Writes a file under a name that nothing has had. It is whole when it has it.</summary>
    /// <exception cref="TransferException">It could not be written.</exception>
    public ValueTask WriteAsync(JobId job, string name, Stream content, CancellationToken ct) =>
        // Nobody looks first whether there is something: the name is new.
        WriteAsync(job, name, content, OverwriteMode.Always, ct);

    /// <summary>Writes a file, and replaces none.</summary>
    /// <returns>False: something else has the name.</returns>
    /// <exception cref="TransferException">It could not be written.</exception>
    public async ValueTask<bool> TryWriteNewAsync(JobId job, string name, byte[] content, CancellationToken ct)
    {
        using var stream = new MemoryStream(content, writable: false);
        try
        {
            await WriteAsync(job, name, stream, OverwriteMode.Fail, ct).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.Error == TransferError.Exists)
        {
            return false;
        }
    }

    /// <inheritdoc cref="WriteAsync(JobId, string, Stream, CancellationToken)"/>
    public async ValueTask WriteAsync(JobId job, string name, byte[] content, CancellationToken ct)
    {
        using var stream = new MemoryStream(content, writable: false);
        await WriteAsync(job, name, stream, ct).ConfigureAwait(false);
    }

    private async ValueTask WriteAsync(JobId job, string name, Stream content, OverwriteMode overwrite, CancellationToken ct)
    {
        content.Position = 0;
        try
        {
            var (path, options) = (PathOf(job, name), new UploadOptions { Overwrite = overwrite });
            if (_job is null) await _client.UploadAsync(content, path, options, progress: null, ct).ConfigureAwait(false);
            // What was begun is finished also when the job is stopped.
            else await _job.ForPart(null, null, ct, stops: false).RunAsync((readItems, token) => _client.StartUpload(content, path, options, readItems, progress: null, token)).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // It may have got its name, with the answer lost, and a second try was refused for that.
            if (!await IsThereAsync(job, name, content, ct).ConfigureAwait(false)) throw;
        }
    }

    // Byte for byte: what is only as long is somebody else's.
    private async ValueTask<bool> IsThereAsync(JobId job, string name, Stream content, CancellationToken ct)
    {
        try
        {
            if (await OpenAsync(job, name, content.Length + 1, ct).ConfigureAwait(false) is not { } stream) return false;
            await using var streamEnd = stream.ConfigureAwait(false);
            var (ours, there) = (new byte[Piece], new byte[Piece]);
            for (content.Position = 0; ;)
            {
                var count = await content.ReadAtLeastAsync(ours, Piece, throwOnEndOfStream: false, ct).ConfigureAwait(false);
                var length = await stream.ReadAtLeastAsync(there, Piece, throwOnEndOfStream: false, ct).ConfigureAwait(false);
                if (!ours.AsSpan(0, count).SequenceEqual(there.AsSpan(0, length))) return false;
                if (count < Piece) return true;
            }
        }
        catch (TransferException)
        {
            // The upload's own error says more.
            return false;
        }
    }

    /// <summary>Deletes a file that is of no use any more. That it could not be is no matter.</summary>
    public ValueTask DiscardAsync(JobId job, string name, CancellationToken ct) => DiscardAsync(PathOf(job, name), ct);

    /// <summary>
    /// Deletes a job: its own files, and its folder, if nothing else is in it. What could not be deleted is left to a sender's next run, which can tell wherever it was broken off.
    /// Archives go first: while there are any, end and confirmations say that all have them. Then the end: a job without both that all have confirmed is none that is being written.
    /// Then the head: a job begins with it, so confirmations without one are what is left. A head alone would look like a job that has just begun, so they go last.
    /// </summary>
    /// <returns>True when it is gone.</returns>
    public ValueTask<bool> DeleteAsync(JobId job, CancellationToken ct) => DeleteAsync(job, isAwaited: false, ct);

    /// <summary>Deletes what a job has brought, and leaves what says that it is confirmed.</summary>
    public ValueTask<bool> DeleteArchivesAsync(JobId job, CancellationToken ct) => DeleteAsync(job, isAwaited: true, ct);

    /// <summary>Deletes a job's folder, if nothing is in it.</summary>
    public ValueTask DiscardFolderAsync(JobId job, CancellationToken ct) => DiscardAsync(FolderOf(job), ct);

    private async ValueTask<bool> DeleteAsync(JobId job, bool isAwaited, CancellationToken ct)
    {
        var folder = FolderOf(job);
        try
        {
            var names = new List<string>();
            await foreach (var entry in _client.ListAsync(folder, options: null, ct).ConfigureAwait(false))
            {
                if (entry.Type != RemoteEntryType.Directory && entry.Name is not (SpoolNames.Head or SpoolNames.End) && SpoolNames.IsOurs(entry.Name)) names.Add(entry.Name);
                if (names.Count == MostFiles) break;
            }
            var confirmations = names.ToLookup(name => SpoolNames.ConfirmationOf(name) is not null);
            var options = new ParallelOptions { MaxDegreeOfParallelism = DeletedAtOnce, CancellationToken = ct };
            await Parallel.ForEachAsync(confirmations[false], options, (name, token) => DeleteOneAsync(RemotePath.Combine(folder, name), token)).ConfigureAwait(false);
            if (isAwaited) return true;
            // Listed or not: of what is left behind the head nobody knows whose it is.
            foreach (var name in confirmations[true].Prepend(SpoolNames.Head).Prepend(SpoolNames.End)) await DeleteOneAsync(RemotePath.Combine(folder, name), ct).ConfigureAwait(false);
            // An empty folder may be that of a job that is about to begin, and so is not left only because somebody gives up just now.
            await DeleteOneAsync(folder, CancellationToken.None).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return true;
        }
        catch (TransferException e)
        {
            Log.SpoolFileLeft(_logger, folder, e.Message);
            return false;
        }
    }

    private async ValueTask DiscardAsync(string path, CancellationToken ct)
    {
        try
        {
            await _client.DeleteAsync(path, recursive: false, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Log.SpoolFileLeft(_logger, path, e.Message);
        }
    }

    private async ValueTask DeleteOneAsync(string path, CancellationToken ct)
    {
        try
        {
            await _client.DeleteAsync(path, recursive: false, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            // Somebody else deletes it too.
        }
    }

    private static void Add(SpoolListing listing, RemoteEntry entry, long below)
    {
        if (SpoolNames.ConfirmationOf(entry.Name) is { } confirmation)
        {
            listing.Confirmations.Add(confirmation);
            return;
        }
        // In whatever order it is listed.
        listing.Traces += HashCode.Combine(entry.Name, entry.Length);
        var number = SpoolNames.ArchiveOf(entry.Name);
        if (number is null && entry.Name is not (SpoolNames.Head or SpoolNames.End)) return;
        if (listing.Sent is null || entry.Modified > listing.Sent) listing.Sent = entry.Modified;
        listing.HasHead |= entry.Name == SpoolNames.Head;
        listing.HasEnd |= entry.Name == SpoolNames.End;
        listing.HasArchives |= number is not null;
        if (number < below) listing.Archives.Add(number.Value);
    }

    private string FolderOf(JobId job) => RemotePath.Combine(_root, job.ToString());
}
