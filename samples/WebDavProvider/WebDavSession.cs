using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Xml;
using Transfer;
using Transfer.Replacing;
using Transfer.Sessions;

namespace WebDavProvider;

/// <summary>
/// One session at a WebDAV server. HTTP has none: it is a place in the client's line, and one request at a time.
/// </summary>
internal sealed class WebDavSession : OneAtATimeSession
{
    private static readonly HttpMethod PropFind = new("PROPFIND");
    private static readonly HttpMethod MakeCollection = new("MKCOL");

    private readonly WebDavRequests _requests;
    private readonly ReplacementMemory _renames;
    private readonly WebDavRenamer _renamer;
    private bool _isClosed;

    public WebDavSession(WebDavRequests requests, string server, ReplacementMemory renames, TimeProvider time)
    {
        (_requests, _renames, TimeProvider) = (requests, renames, time);
        _renamer = new WebDavRenamer(requests, GetEntryAsync);
        Features = new TransferFeatures
        {
            Server = server,
            ReadsAtOffset = true,
            SegmentedDownloads = true,
            TimePrecision = TimeSpan.FromSeconds(1),
        };
    }

    public override bool Usable => !_isClosed && _requests.Usable;

    public override TransferFeatures Features { get; }

    protected override TimeProvider TimeProvider { get; }

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var limit = _requests.Limit(cancellationToken);
        using var answer = await AskAsync(directory == "/" ? directory : directory + "/", "1", limit, cancellationToken);
        if (answer.StatusCode != HttpStatusCode.MultiStatus) throw WebDavErrors.Of(answer, "PROPFIND", directory);
        await using var body = await answer.Content.ReadAsStreamAsync(limit.Token);
        await using var entries = WebDavProperties.ReadAsync(body, limit.Token).GetAsyncEnumerator(limit.Token);
        var self = WebDavRequests.PathOf(directory);
        while (await NextAsync(entries, report, cancellationToken))
        {
            limit.Moved();
            var entry = entries.Current;
            if (entry.Path == self)
            {
                // Asked for the content of a file, a server tells of the file.
                if (entry.Type != RemoteEntryType.Directory)
                    throw new TransferException(TransferError.NotFound, $"{directory} is no folder.") { RemotePath = directory };
            }
            else if (RemotePath.GetParent(entry.Path) == self && !entry.Name.Contains('\0') && entry.Name is not ("" or "." or ".."))
            {
                limit.Stand();
                yield return entry with { Path = RemotePath.Combine(directory, entry.Name) };
                limit.Moved();
            }
            else
            {
                report.AddGap("the server names what is not in the folder");
            }
        }
    }

    public override async ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken cancellationToken)
    {
        using var limit = _requests.Limit(cancellationToken);
        using var answer = await AskAsync(path, "0", limit, cancellationToken);
        if (answer.StatusCode == HttpStatusCode.NotFound) return null; // the only proof of absence
        if (answer.StatusCode != HttpStatusCode.MultiStatus) throw WebDavErrors.Of(answer, "PROPFIND", path);
        await using var body = await answer.Content.ReadAsStreamAsync(limit.Token);
        await using var entries = WebDavProperties.ReadAsync(body, limit.Token).GetAsyncEnumerator(limit.Token);
        var report = new ListingReport();
        if (await NextAsync(entries, report, cancellationToken)) return entries.Current with { Path = path };
        throw new TransferException(TransferError.Protocol,
            $"PROPFIND {path}: {report.Reason ?? "the answer tells of nothing"}.")
        { RemotePath = path };
    }

    public override async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken)
    {
        var outcomes = new List<DirectoryOutcome>();
        foreach (var path in paths)
        {
            using var answer = await _requests.SendAsync(MakeCollection, path + "/", null, cancellationToken);
            // 405: something has the name (RFC 4918 section 9.3.1).
            if (answer.StatusCode == HttpStatusCode.Created) outcomes.Add(new() { Created = true });
            else if (answer.StatusCode == HttpStatusCode.MethodNotAllowed)
                outcomes.Add(new() { Error = await TakenAsync(path, cancellationToken) });
            else outcomes.Add(new() { Error = WebDavErrors.Of(answer, "MKCOL", path) });
        }
        return outcomes;
    }

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken) =>
        DeleteAsync(paths, RequireFileAsync, cancellationToken);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken) =>
        DeleteAsync(paths, RequireEmptyAsync, cancellationToken);

    public override async ValueTask RenameAsync(Renaming renaming, CancellationToken cancellationToken)
    {
        var result = await ReplacementDriver.RunAsync(renaming, _renamer, _renames, TimeProvider, cancellationToken);
        if (result.Error is { } error) throw error;
    }

    /// <summary>
    /// WebDAV sets neither times nor permissions that servers agree on: <see cref="Features"/> says so, and nothing is done.
    /// </summary>
    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken cancellationToken) => default;

    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken cancellationToken) => new((string?)null);

    public override ValueTask DisposeAsync()
    {
        _isClosed = true;
        return default;
    }

    protected override async Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken cancellationToken)
    {
        using var limit = _requests.Limit(cancellationToken);
        using var answer = await _requests.SendAsync(HttpMethod.Put, path, request =>
        {
            request.Content = new UploadContent(content, item.Content.Length, limit);
            // What must not be there is not replaced, whoever makes it in this moment (RFC 9110 section 13.1.2).
            if (item.IsUnfinished || !item.Replace) request.Headers.IfNoneMatch.Add(EntityTagHeaderValue.Any);
        }, limit, cancellationToken);
        if (!answer.IsSuccessStatusCode) throw WebDavErrors.Of(answer, "PUT", item.AskedPath);
    }

    protected override async Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken cancellationToken)
    {
        using var limit = _requests.Limit(cancellationToken);
        var isPart = item.Offset > 0 || item.End < long.MaxValue;
        using var answer = await _requests.SendAsync(HttpMethod.Get, path, request =>
        {
            if (isPart) request.Headers.Range = new RangeHeaderValue(item.Offset, item.End < long.MaxValue ? item.End - 1 : null);
        }, limit, cancellationToken);
        if (answer.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable) return; // at the end of the file, or behind it
        if (!answer.IsSuccessStatusCode) throw WebDavErrors.Of(answer, "GET", path);
        await using var body = await answer.Content.ReadAsStreamAsync(limit.Token);
        // A server may ignore a range (RFC 9110 section 14.2).
        var position = answer.StatusCode == HttpStatusCode.PartialContent ? answer.Content.Headers.ContentRange?.From ?? item.Offset : 0;
        var buffer = new byte[64 * 1024];
        while (position < item.End)
        {
            var read = await _requests.GuardAsync($"GET {path}", async () => await body.ReadAsync(buffer, limit.Token), cancellationToken);
            if (read == 0) break;
            var start = (int)Math.Clamp(item.Offset - position, 0, read);
            var end = (int)Math.Min(read, item.End - position);
            limit.Stand();
            if (end > start) await destination.WriteAsync(buffer.AsMemory(start, end - start), cancellationToken);
            limit.Moved();
            position += read;
        }
    }

    private Task<HttpResponseMessage> AskAsync(string path, string depth, IdleLimit limit, CancellationToken ct) =>
        _requests.SendAsync(PropFind, path, request =>
    {
        request.Headers.Add("Depth", depth);
        request.Content = new StringContent(WebDavProperties.Wanted, Encoding.UTF8, "application/xml");
    }, limit, ct);

    // A listing that cannot be read to its end is no complete one.
    private async Task<bool> NextAsync(IAsyncEnumerator<RemoteEntry> entries, ListingReport report, CancellationToken ct)
    {
        try
        {
            return await _requests.GuardAsync("PROPFIND", async () => await entries.MoveNextAsync(), ct);
        }
        catch (XmlException e)
        {
            report.AddGap($"the answer cannot be read ({e.Message.TrimEnd('.')})");
            return false;
        }
    }

    private async ValueTask<IReadOnlyList<TransferException?>> DeleteAsync(
        IReadOnlyList<string> paths, Func<string, CancellationToken, Task> require, CancellationToken ct)
    {
        var errors = new List<TransferException?>();
        foreach (var path in paths)
        {
            try
            {
                // DELETE of a collection takes all that is in it (RFC 4918 section 9.6.1): what is there is looked at first.
                await require(path, ct);
                errors.Add(await _renamer.DeleteAsync(path, ct));
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                errors.Add(e);
            }
        }
        return errors;
    }

    private async Task RequireFileAsync(string path, CancellationToken ct)
    {
        var entry = await GetEntryAsync(path, ct) ?? throw WebDavErrors.Of(HttpStatusCode.NotFound, "DELETE", path);
        if (entry.Type == RemoteEntryType.Directory)
            throw new TransferException(TransferError.Denied, $"{path} is a folder.") { RemotePath = path };
    }

    private async Task RequireEmptyAsync(string path, CancellationToken ct)
    {
        var report = new ListingReport();
        await foreach (var entry in ListAsync(path, report, ct))
            throw new TransferException(TransferError.Denied, $"{path} is not empty: {entry.Name}.") { RemotePath = path };
        if (report.Reason is { } gap)
            throw new TransferException(TransferError.Partial, $"{path} may not be empty: {gap}.") { RemotePath = path };
    }

    private async Task<TransferException?> TakenAsync(string path, CancellationToken ct) =>
        await GetEntryAsync(path, ct) is { Type: RemoteEntryType.Directory }
            ? null
            : new TransferException(TransferError.Exists, $"{path} exists.") { RemotePath = path };
}
