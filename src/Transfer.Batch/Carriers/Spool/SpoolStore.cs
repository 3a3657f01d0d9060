using Microsoft.Extensions.Logging;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A spool: a folder in a store, with a folder for each job. The store is not trusted; no name is ever used twice, so nothing need
/// be replaced.</summary>
internal sealed class SpoolStore
{
    /// <summary>The most archives of a job. They are all listed, with confirmations and unfinished files.</summary>
    public const int MostArchives = MostFiles - (1 << 12);

    // A store that lists more would fill the memory.
    private const int MostJobs = 10_000;
    private const int MostFiles = 1 << 20;
    private const int DeletedAtOnce = 8;
    private const int Piece = 32 << 10;

    private readonly TransferClient _client;
    private readonly string _root;
    private readonly ILogger _logger;
    private readonly TransferJobContext? _job;

    /// <param name="client">The store. Belongs to the caller.</param>
    /// <param name="root">The spool's folder in the store.</param>
    /// <param name="logger">Logs failures that do not matter.</param>
    /// <param name="job">The job, which pauses its content; null: no pauses.</param>
    public SpoolStore(TransferClient client, string root, ILogger logger, TransferJobContext? job = null)
    {
        _client = client;
        _root = root;
        _logger = logger;
        _job = job;
    }

    /// <summary>The name of the spool for fetchers of several: the address, without a password.</summary>
    public string Name =>
        $"{_client.Endpoint} {(_root.StartsWith('/') ? "/" : string.Empty)}{string.Join('/', _root.Split('/', StringSplitOptions.RemoveEmptyEntries).Where(part => part != "."))}";

    /// <summary>Returns the path of a file, for messages.</summary>
    public string PathOf(JobId job, string name) => RemotePath.Combine(FolderOf(job), name);

    /// <summary>Makes the folder of a job, with the spool's own.</summary>
    public ValueTask CreateAsync(JobId job, CancellationToken ct) => _client.CreateDirectoryAsync(FolderOf(job), parents: true, ct);

    /// <summary>Lists the jobs in the store; none where there is no such folder.</summary>
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
            // No job was ever sent.
        }
        return jobs;
    }

    /// <summary>Lists a job's folder; null: there is none (any more).</summary>
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
                if (++files > MostFiles)
                    throw new TransferException(TransferError.Protocol, $"{FolderOf(job)} has more than {MostFiles} files.");
                Add(listing, entry, below);
            }
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return null;
        }
        // Some servers list a missing folder as empty.
        return listing.IsEmpty && await _client.GetEntryAsync(FolderOf(job), ct).ConfigureAwait(false) is null ? null : listing;
    }

    /// <summary>Returns when a job's folder last changed, by the store's clock; null: the store gives no time, or there is no
    /// folder.</summary>
    public async ValueTask<DateTimeOffset?> GetTimeAsync(JobId job, CancellationToken ct) =>
        (await _client.GetEntryAsync(FolderOf(job), ct).ConfigureAwait(false))?.Modified;

    /// <summary>Opens a file for reading; null: there is none.</summary>
    public async ValueTask<Stream?> OpenAsync(JobId job, string name, long? most, CancellationToken ct)
    {
        try
        {
            var stream = await _client.OpenReadAsync(PathOf(job, name), new ReadOptions { Length = most, Sequential = true },
                ct).ConfigureAwait(false);
            return _job is null ? stream : new PausedReadStream(stream, _job);
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return null;
        }
    }

    /// <summary>Reads a record; null: there is none.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the record is too long.</exception>
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
        return content.Length <= SealedRecord.MostLength
            ? content.ToArray() : throw new TransferException(TransferError.Protocol, $"{PathOf(job, name)} is too long.");
    }

    /// <summary>Writes a file under a name never used before. The file gets the name when complete.</summary>
    /// <exception cref="TransferException">Writing failed.</exception>
    public ValueTask WriteAsync(JobId job, string name, Stream content, CancellationToken ct) =>
        // No look for an existing file: the name is new.
        WriteAsync(job, name, content, OverwriteMode.Always, ct);

    /// <summary>Writes a file, and replaces none.</summary>
    /// <returns>False: another file has the name.</returns>
    /// <exception cref="TransferException">Writing failed.</exception>
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
            if (_job is null)
            {
                await _client.UploadAsync(content, path, options, progress: null, ct).ConfigureAwait(false);
            }
            // An upload under way is finished even if the job is stopped.
            else
            {
                await _job.ForPart(null, null, ct, stops: false).RunAsync(
                    (readItems, token) => _client.StartUpload(content, path, options, readItems, progress: null, token))
                    .ConfigureAwait(false);
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // The file may have been published, with the answer lost, and a second try refused for that.
            if (!await HasContentAsync(job, name, content, ct).ConfigureAwait(false)) throw;
        }
    }

    // Byte for byte: a file of the same length may be another writer's.
    private async ValueTask<bool> HasContentAsync(JobId job, string name, Stream content, CancellationToken ct)
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
            // The upload's own error explains more.
            return false;
        }
    }

    /// <summary>Deletes a useless file. A failure does not matter.</summary>
    public ValueTask DiscardAsync(JobId job, string name, CancellationToken ct) => DiscardAsync(PathOf(job, name), ct);

    /// <summary>
    /// Deletes a job: the files of the job, and the folder, if otherwise empty. Files that could not be deleted are left to a sender's next
    /// run, which recognizes an interrupted deletion at any point.
    /// Archives go first: while there are any, end and confirmations prove that all recipients have them. Then the end: a job without both
    /// that all have confirmed is not one being written.
    /// Then the head: a job begins with it, so confirmations without a head are remains. They go last, since a head alone would look like a
    /// job that has just begun.
    /// </summary>
    /// <returns>True when the job is gone.</returns>
    public ValueTask<bool> DeleteAsync(JobId job, CancellationToken ct) => DeleteAsync(job, isAwaited: false, ct);

    /// <summary>Deletes the content of a job, and leaves the proof that the job is confirmed.</summary>
    public ValueTask<bool> DeleteArchivesAsync(JobId job, CancellationToken ct) => DeleteAsync(job, isAwaited: true, ct);

    /// <summary>Deletes a job's folder, if empty.</summary>
    public ValueTask DiscardFolderAsync(JobId job, CancellationToken ct) => DiscardAsync(FolderOf(job), ct);

    private async ValueTask<bool> DeleteAsync(JobId job, bool isAwaited, CancellationToken ct)
    {
        var folder = FolderOf(job);
        try
        {
            var names = new List<string>();
            await foreach (var entry in _client.ListAsync(folder, options: null, ct).ConfigureAwait(false))
            {
                if (entry.Type != RemoteEntryType.Directory && entry.Name is not (SpoolNames.Head or SpoolNames.End)
                    && SpoolNames.IsOurs(entry.Name))
                {
                    names.Add(entry.Name);
                }

                if (names.Count == MostFiles) break;
            }
            var confirmations = names.ToLookup(name => SpoolNames.ConfirmationOf(name) is not null);
            var options = new ParallelOptions { MaxDegreeOfParallelism = DeletedAtOnce, CancellationToken = ct };
            await Parallel.ForEachAsync(confirmations[false], options,
                (name, token) => DeleteOneAsync(RemotePath.Combine(folder, name), token)).ConfigureAwait(false);
            if (isAwaited) return true;
            // Listed or not: files that outlive the head have no known owner.
            foreach (var name in confirmations[true].Prepend(SpoolNames.Head).Prepend(SpoolNames.End))
                await DeleteOneAsync(RemotePath.Combine(folder, name), ct).ConfigureAwait(false);
            // An empty folder may be that of a job about to begin; a cancellation just now must not leave this one behind.
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
            // Another deletion is under way.
        }
    }

    private static void Add(SpoolListing listing, RemoteEntry entry, long below)
    {
        if (SpoolNames.ConfirmationOf(entry.Name) is { } confirmation)
        {
            listing.Confirmations.Add(confirmation);
            return;
        }
        // Independent of the order of the listing.
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
