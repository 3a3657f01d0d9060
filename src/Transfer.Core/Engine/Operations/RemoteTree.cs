using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>A remote folder as a job's source or target. Each call leases a session and returns the lease.</summary>
internal sealed class RemoteTree : ISourceTree, ITargetTree
{
    private static readonly TimeSpan UnknownPrecision = TimeSpan.FromSeconds(1);

    private readonly Dispatcher _dispatcher;
    private readonly ClientEngine _engine;
    private readonly string _root;
    private readonly Lock _asking = new();
    private Task<string?>? _twins;
    private Task<string?>? _formTwins;

    public RemoteTree(Dispatcher dispatcher, ClientEngine engine, string root)
    {
        _dispatcher = dispatcher;
        _engine = engine;
        _root = root;
    }

    public TimeSpan TimePrecision => PrecisionOf(_engine);

    public IEqualityComparer<string> Names => StringComparer.Ordinal;

    public bool KeepsTimes => _engine.Pool.LastFeatures?.SetsModified ?? true;

    public IReadOnlyList<string> Hashes => _engine.Pool.LastFeatures?.Hashes ?? [];

    public int ListsTogether => _engine.Lists.Together;

    public int FindsTogether => _engine.Lists.FindsTogether;

    public bool IsShortOfRoom => _engine.Listings.IsShort;

    /// <summary>The finest step of a server's modification times, as far as is known.</summary>
    public static TimeSpan PrecisionOf(ClientEngine engine) => engine.Pool.LastFeatures?.TimePrecision ?? UnknownPrecision;

    // No protocol here has such a time.
    public long ChangedTicks(string path) => 0;

    public string PathOf(string relative) => relative.Length == 0 ? _root : RemotePath.Combine(_root, relative);

    public ValueTask<TreeListing> ListAsync(string directory, CancellationToken ct) => ListAsync(directory, finds: false, ct);

    public ValueTask<TreeListing> FindAsync(string directory, CancellationToken ct) => ListAsync(directory, finds: true, ct);

    private ValueTask<TreeListing> ListAsync(string directory, bool finds, CancellationToken ct)
    {
        var path = PathOf(directory);
        return _dispatcher.ListAsync(async (session, token) =>
        {
            var share = _engine.Listings.Open(path);
            try
            {
                var (entries, report) = (new EntryList(share), new ListingReport { PresenceSuffices = finds });
                await foreach (var entry in session.ListAsync(path, report, token).ConfigureAwait(false))
                    entries.Add(TreeEntry.From(entry, ListedNames.NameOf(path, entry)));
                return new TreeListing(entries.ToList(), report.Verdict, report.ToError(path), report.MayHideDots) { Share = share };
            }
            catch (TransferException e) when (directory.Length == 0 && e is not TransferConnectionException && session.Usable)
            {
                share.Dispose();
                if (await IsFileAsync(session, path, token).ConfigureAwait(false)) throw NoFolder(path, e);
                throw;
            }
            catch
            {
                share.Dispose();
                throw;
            }
        }, finds, ct);
    }

    private static async ValueTask<bool> IsFileAsync(TransferSession session, string path, CancellationToken ct)
    {
        var look = (await session.GetEntriesAsync([path], ct).ConfigureAwait(false))[0];
        return look.Entry?.Type == RemoteEntryType.File;
    }

    private static TransferException NoFolder(string path, TransferException error) =>
        new(error.Error, $"{path} is a file, and not a folder: get or copy moves a file.", error)
        {
            RemotePath = path,
            ServerCode = error.ServerCode,
        };

    public async ValueTask<IReadOnlyList<LinkEnd>> FollowAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct)
    {
        // The folder itself may be reached through a link: the paths within are compared with the real one.
        string[] paths = [_root, .. links.Select(link => PathOf(PlannedDirectory.Join(directory, link.Name)))];
        var outcomes = await _dispatcher.ControlAsync((session, token) => session.FollowLinksAsync(paths, token), retry: true,
            ct).ConfigureAwait(false);
        if (outcomes[0].Error is { } error) throw error;
        if (outcomes[0].Entry is not { Path: var root })
            throw new TransferException(TransferError.NotFound, $"{_root} does not exist.") { RemotePath = _root };
        return [.. links.Select((link, i) => EndOf(PlannedDirectory.Join(directory, link.Name), link.Name, outcomes[i + 1], root))];
    }

    public async ValueTask<IReadOnlyList<LinkText>> ReadLinksAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct)
    {
        // Listings of some protocols have the texts already.
        if (links.All(link => link.LinkTarget is not null)) return [.. links.Select(link => new LinkText(link.LinkTarget, null))];
        var paths = links.Select(link => PathOf(PlannedDirectory.Join(directory, link.Name))).ToArray();
        var outcomes = await _dispatcher.ControlAsync((session, token) => session.ReadLinksAsync(paths, token), retry: true,
            ct).ConfigureAwait(false);
        return [.. outcomes.Select((outcome, i) => new LinkText(outcome.Entry?.LinkTarget, outcome.Error ?? NoLink(outcome, paths[i])))];
    }

    public async ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<PlannedLink> links, CancellationToken ct)
    {
        var wanted = links.Select(link => new SymbolicLink
        {
            Path = PathOf(link.Item.TargetPath),
            Target = link.Text,
            Replace = link.Replace,
            TemporaryPath = PathOf(link.TemporaryPath),
            Metadata = link.Modified is { } modified ? new FileMetadata { Modified = modified } : null,
        }).ToArray();
        var creation = new LostLinks(wanted);
        try
        {
            return await _dispatcher.ControlAsync(creation.CreateAsync, retry: true, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return creation.OutcomesAfter(e);
        }
    }

    public UnixFileMode? RootMode => null;

    public ValueTask<bool> CreateRootAsync(UnixFileMode? mode, CancellationToken ct) =>
        _dispatcher.EnsureAsync(_root, ct, mode);

    public ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories,
        CancellationToken ct)
    {
        var paths = directories.Select(directory => PathOf(directory.TargetPath)).ToArray();
        var modes = directories.Select(directory => directory.Mode).ToArray();
        return _dispatcher.ControlAsync((session, token) => _engine.Endpoint.IsFile
            ? CreateUnlinkedAsync(session, paths, modes, token) : session.CreateDirectoriesAsync(paths, modes, token), retry: true, ct);
    }

    // On this machine nothing is written through a link, as in a LocalTree. The parents were checked before.
    private static async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateUnlinkedAsync(
        TransferSession session, string[] paths, UnixFileMode?[] modes, CancellationToken ct)
    {
        var outcomes = new DirectoryOutcome[paths.Length];
        for (var i = 0; i < outcomes.Length; i++)
        {
            var there = (await session.GetEntriesAsync([paths[i]], ct).ConfigureAwait(false))[0];
            outcomes[i] = there.Entry is { Type: RemoteEntryType.Link }
                ? new() { Error = DoubtfulDirectory.NotWrittenThrough(paths[i]) }
                : (await session.CreateDirectoriesAsync([paths[i]], [modes[i]], ct).ConfigureAwait(false))[0];
        }
        return outcomes;
    }

    public ValueTask<bool> LacksRootAsync(CancellationToken ct) => _dispatcher.ControlAsync(async (session, token) =>
    {
        var entry = await session.GetEntryAsync(_root, token).ConfigureAwait(false);
        return entry?.Type is RemoteEntryType.File or RemoteEntryType.Other
            ? throw new TransferException(TransferError.Exists, $"{_root} is not a folder.") { RemotePath = _root }
            : entry is null;
    }, retry: true, ct);

    public ValueTask<IReadOnlyList<TreeLook>> LookAsync(string directory, IReadOnlyList<string> names, CancellationToken ct)
    {
        var paths = names.Select(name => PathOf(PlannedDirectory.Join(directory, name))).ToArray();
        return _dispatcher.ControlAsync<IReadOnlyList<TreeLook>>(async (session, token) =>
        {
            var found = await session.GetEntriesAsync(paths, token).ConfigureAwait(false);
            return [.. found.Select(
                (outcome, i) => new TreeLook(outcome.Entry is { } entry ? TreeEntry.From(entry, names[i]) : null, outcome.Error))];
        }, retry: true, ct);
    }

    public ValueTask<bool> ShowsAboveAsync(string name, CancellationToken ct)
    {
        var paths = new List<string>();
        for (var folder = _root; folder is not null; folder = RemotePath.GetParent(folder)) paths.Add(RemotePath.Combine(folder, name));
        return _dispatcher.ControlAsync(async (session, token) =>
        {
            var found = await session.GetEntriesAsync(paths, token).ConfigureAwait(false);
            return found.Any(outcome => outcome.Entry is not null);
        }, retry: true, ct);
    }

    public async ValueTask<FileHash> HashAsync(string path, string algorithm, CancellationToken ct)
    {
        if (await TryHashAsync(path, algorithm, ct).ConfigureAwait(false) is { } offered) return new(offered, ReadBack: false);
        var content = await OpenAsync(path, 0, ct).ConfigureAwait(false);
        await using var contentEnd = content.ConfigureAwait(false);
        return new(await FileHash.ComputeAsync(content, algorithm, ct).ConfigureAwait(false), ReadBack: true);
    }

    public ValueTask<string?> TryHashAsync(string path, string algorithm, CancellationToken ct)
    {
        var full = PathOf(path);
        return _dispatcher.ControlAsync((session, token) => session.HashAsync(full, algorithm, token), retry: true, ct);
    }

    public async ValueTask<Stream> OpenAsync(string path, long offset, CancellationToken ct) =>
        await FileJobs.OpenReadAsync(_engine, PathOf(path), new ReadOptions { Offset = offset }, ct).ConfigureAwait(false);

    public async ValueTask CreateFileAsync(string path, CancellationToken ct)
    {
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct, Verify = VerificationMode.Reply };
        await FileJobs.UploadAsync(_engine, Stream.Null, PathOf(path), options,
            new TransferJobContext(cancellationToken: ct)).ConfigureAwait(false);
    }

    public async ValueTask MoveAsync(string from, string to, CancellationToken ct) =>
        await _dispatcher.ControlAsync(async (session, token) =>
        {
            await session.RenameAsync(new Renaming(PathOf(from), PathOf(to)), token).ConfigureAwait(false);
            return true;
        }, retry: false, ct).ConfigureAwait(false);

    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var (root, full) = (PathOf(string.Empty), paths.Select(PathOf).ToArray());
        return _dispatcher.ControlAsync(
            LostDeletions.Repeatable((session, some, token) => session.DeleteFilesBelowAsync(root, some, token), full), retry: true, ct);
    }

    public ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(string directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct)
    {
        var path = PathOf(directory);
        var listed = entries.Select(
            entry => new RemoteEntry { Path = RemotePath.Combine(path, entry.Name), Type = entry.Type, Length = entry.Length }).ToArray();
        return _dispatcher.ControlAsync((session, token) => session.ProveDirectoriesAsync(listed, token), retry: true, ct);
    }

    public ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var (root, full) = (PathOf(string.Empty), paths.Select(PathOf).ToArray());
        return _dispatcher.ControlAsync(
            LostDeletions.Repeatable((session, some, token) => EmptyDirectories.RemoveAsync(session, root, some, token), full),
            retry: true, ct);
    }

    // Any other rule of names is the server's own, which refuses names one by one.
    public string? Refuse(string name) => ListedNames.RefuseLineEnd(name);

    public NameCode? Code => NameCode.Server;

    public string? RefuseToRead(string name) => ListedNames.RefuseLineEnd(name);

    public ValueTask<string?> RefuseTwinsAsync(string directory, bool forms, CancellationToken ct)
    {
        lock (_asking)
        {
            return new(
                forms ? _formTwins ??= FindTwinAsync(PathOf(directory), forms, ct) : _twins ??= FindTwinAsync(PathOf(directory), forms,
                    ct));
        }
    }

    // Tests with a folder created for that, and a look under another spelling: an existing entry may be on another file system, or have
    // such a neighbour.
    private async Task<string?> FindTwinAsync(string folder, bool forms, CancellationToken ct)
    {
        var name = _dispatcher.Owner.NextTemporaryName();
        var mark = RemotePath.Combine(folder, name);
        // A leftover of the test is recognised by the outer name.
        string[] folders = forms ? [mark, RemotePath.Combine(mark, "\u00e9")] : [mark];
        string[] spellings = [folders[^1],
            forms ? RemotePath.Combine(mark, "e\u0301") : RemotePath.Combine(folder, name.ToUpperInvariant())];
        try
        {
            return await _dispatcher.ControlAsync(async (session, token) =>
            {
                if ((await session.CreateDirectoriesAsync([mark], token).ConfigureAwait(false))[0].Error is { } refused) throw refused;
                try
                {
                    if (forms && (await session.CreateDirectoriesAsync(folders[1..], token).ConfigureAwait(false))[0].Error is { } strange)
                        throw strange;
                    var found = await session.GetEntriesAsync(spellings, token).ConfigureAwait(false);
                    return found[0].Entry is null ? Unknown("the server does not show the test folder")
                        : found[1].Error is { } unknown ? Unknown(unknown.Message)
                        : found[1].IsAbsent ? null : TwinNames.OneName;
                }
                finally
                {
                    if ((await session.RemoveDirectoriesAsync([.. folders.Reverse()], token).ConfigureAwait(false))[^1] is { } left)
                        Log.Leftover(_engine.Logger, mark, left.Message);
                }
            }, retry: true, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return Unknown(e.Message);
        }

        static string Unknown(string why) => $"whether the target tells them apart could not be found out ({why})";
    }

    private static LinkEnd EndOf(string link, string name, in LinkOutcome outcome, string root)
    {
        if (outcome.Error is { } error) return LinkEnd.Refused(error);
        if (outcome.Entry is not { } entry) return LinkEnd.Nowhere;
        var prefix = root == "/" ? root : root + "/";
        if (entry.Path != root && !entry.Path.StartsWith(prefix, StringComparison.Ordinal)) return LinkEnd.Outside(link);
        return new(TreeEntry.From(entry, name), entry.Path == root ? string.Empty : entry.Path[prefix.Length..], null);
    }

    private static TransferException? NoLink(in LinkOutcome outcome, string path) =>
        outcome.Entry?.LinkTarget is null
        ? new TransferException(TransferError.NotFound, $"{path} is no link any more.") { RemotePath = path } : null;
}
