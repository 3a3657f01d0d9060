using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>Creates and removes paths, one after the other. 550 gives no reason: refused paths are looked at once more.</summary>
internal sealed class FluentDirectories
{
    // The most names of a folder that are kept to detect links: further names have no proof.
    private const int MostNames = 400_000;

    private readonly FluentControl _control;
    private readonly FluentLister _lister;
    private readonly FluentLookUp _lookUp;

    public FluentDirectories(FluentControl control, FluentLister lister, FluentLookUp lookUp)
    {
        _control = control;
        _lister = lister;
        _lookUp = lookUp;
    }

    /// <summary>Creates directories; one that exists already is no error.</summary>
    public async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var outcomes = await OneByOne.RunAsync(paths, CreateAsync, ct).ConfigureAwait(false);
        if (!_control.IsKnown)
        {
            await _control.Host.Changes.CheckDirectoriesAsync(paths, outcomes, _lookUp.LookAtCreatedAsync,
                i => FluentLookUp.WithoutEffect("MKD", paths[i], "does not exist"), ct).ConfigureAwait(false);
        }
        return outcomes;
    }

    /// <summary>Deletes files (DELE) or empty directories (RMD); returns an error or null for each.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> DeleteAsync(string verb, IReadOnlyList<string> paths, CancellationToken ct)
    {
        var errors = await OneByOne.RunAsync(paths, (path, token) => DeleteAsync(verb, path, token), ct).ConfigureAwait(false);
        if (!_control.IsKnown)
        {
            await _control.Host.Changes.CheckDeletionsAsync(verb == "RMD", paths, errors, _lookUp.LookAllAsync,
                i => FluentLookUp.WithoutEffect(verb, paths[i], "is still there"), ct).ConfigureAwait(false);
        }
        return errors;
    }

    private async ValueTask<DirectoryOutcome> CreateAsync(string path, CancellationToken ct)
    {
        if (_control.WhyUnsendable(path) is { } why) return new() { Error = why };
        var reply = await _control.ExecuteAsync(_control.Command("MKD", path), ct).ConfigureAwait(false);
        if (reply.IsSuccess) return new() { Created = true };
        var change = await _control.ExecuteAsync(_control.Command("CWD", path), ct).ConfigureAwait(false);
        return change.IsSuccess ? default : new() { Error = ReplyErrors.ToException(reply, "MKD", path, writes: true) };
    }

    private async ValueTask<TransferException?> DeleteAsync(string verb, string path, CancellationToken ct)
    {
        if (_control.WhyUnsendable(path) is { } why) return why;
        var reply = await _control.ExecuteAsync(_control.Command(verb, path), ct).ConfigureAwait(false);
        if (reply.IsSuccess) return null;
        var look = await _lookUp.LookAsync(path, ct).ConfigureAwait(false);
        return ReplyErrors.ToException(reply, verb, path, writes: !look.IsAbsent);
    }

    /// <summary>
    /// Distinguishes directories from links to directories: MLSD and MLST follow links on many servers, the first column of LIST does not.
    /// </summary>
    public async ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(IReadOnlyList<RemoteEntry> entries, CancellationToken ct)
    {
        // Without MLSD the entries come from LIST.
        if (!_lister.HasMlsd && entries.All(entry => entry.Mode is not null)) return [.. entries.Select(_ => DirectoryProof.Child)];
        var types = new Dictionary<string, RemoteEntryType>(StringComparer.Ordinal);
        foreach (var directory in entries.Select(entry => RemotePath.GetParent(entry.Path) ?? "/").Distinct())
            await AddTypesAsync(directory, types, ct).ConfigureAwait(false);
        return [.. entries.Select(entry => types.GetValueOrDefault(entry.Path, RemoteEntryType.Other) switch
        {
            RemoteEntryType.Directory => DirectoryProof.Child,
            RemoteEntryType.Link => DirectoryProof.Link,
            _ => DirectoryProof.Unknown,
        })];
    }

    private async ValueTask AddTypesAsync(string directory, Dictionary<string, RemoteEntryType> types, CancellationToken ct)
    {
        try
        {
            await foreach (var entry in _lister.ListAsync(directory, mlsd: false, new ListingReport(), ct).ConfigureAwait(false))
            {
                if (entry.Mode is null || types.Count >= MostNames) continue;
                // A name with a line end can make one of two lines.
                var path = RemotePath.Combine(directory, entry.Name);
                if (!types.TryAdd(path, entry.Type) && types[path] != entry.Type) types[path] = RemoteEntryType.Other;
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // A directory missing in LIST has no proof.
        }
    }
}
