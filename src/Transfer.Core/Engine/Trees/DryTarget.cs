using System.Collections.Concurrent;
using Transfer.Contents;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>A target that is only read: all changes seem to succeed.</summary>
internal sealed class DryTarget : ITargetTree
{
    private readonly ITargetTree _inner;

    // The asides that a job would put back, by the paths that they would get: the rest of the plan reads them there.
    private readonly ConcurrentDictionary<string, string> _asides = new(StringComparer.Ordinal);

    public DryTarget(ITargetTree inner) => _inner = inner;

    public TimeSpan TimePrecision => _inner.TimePrecision;

    public IEqualityComparer<string> Names => _inner.Names;

    public bool KeepsTimes => _inner.KeepsTimes;

    public IReadOnlyList<string> Hashes => _inner.Hashes;

    public NameCode? Code => _inner.Code;

    public int ListsTogether => _inner.ListsTogether;

    public int FindsTogether => _inner.FindsTogether;

    public bool IsShortOfRoom => _inner.IsShortOfRoom;

    public string? Refuse(string name) => _inner.Refuse(name);

    public ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(string directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct) =>
        _inner.ProveAsync(directory, entries, ct);

    // The test would create a folder, and a dry run creates none.
    public ValueTask<string?> RefuseTwinsAsync(string directory, bool forms, CancellationToken ct) => default;

    public ValueTask<bool> LacksRootAsync(CancellationToken ct) => _inner.LacksRootAsync(ct);

    public ValueTask<TreeListing> ListAsync(string directory, CancellationToken ct) => _inner.ListAsync(directory, ct);

    public ValueTask<TreeListing> FindAsync(string directory, CancellationToken ct) => _inner.FindAsync(directory, ct);

    public ValueTask<IReadOnlyList<TreeLook>> LookAsync(string directory, IReadOnlyList<string> names, CancellationToken ct) =>
        _inner.LookAsync(directory, _asides.IsEmpty ? names : [.. names.Select(name => NameOf(directory, name))], ct);

    public ValueTask<IReadOnlyList<LinkText>> ReadLinksAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct) =>
        _inner.ReadLinksAsync(directory, links, ct);

    public ValueTask<FileHash> HashAsync(string path, string algorithm, CancellationToken ct) =>
        _inner.HashAsync(RealOf(path), algorithm, ct);

    public ValueTask<string?> TryHashAsync(string path, string algorithm, CancellationToken ct) =>
        _inner.TryHashAsync(RealOf(path), algorithm, ct);

    public ValueTask<Stream> OpenAsync(string path, long offset, CancellationToken ct) =>
        _inner.OpenAsync(RealOf(path), offset, ct);

    public ValueTask<bool> CreateRootAsync(UnixFileMode? mode, CancellationToken ct) => _inner.LacksRootAsync(ct);

    public async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories,
        CancellationToken ct)
    {
        var outcomes = new DirectoryOutcome[directories.Count];
        for (var i = 0; i < outcomes.Length; i++)
        {
            // A creation would show that the target finds the folder by another spelling than it lists.
            var there = directories[i].TargetEntry ?? await OtherSpelling.FindAsync(_inner, directories[i], ct).ConfigureAwait(false);
            outcomes[i] = there switch
            {
                null => new() { Created = true },
                { Type: RemoteEntryType.Directory or RemoteEntryType.Link } => default,
                _ => new()
                {
                    Error = new TransferException(TransferError.Exists, $"{directories[i].Path} is not a folder, and in the way of one."),
                },
            };
        }
        return outcomes;
    }

    public ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<PlannedLink> links, CancellationToken ct) =>
        Done(links.Count);

    public ValueTask CreateFileAsync(string path, CancellationToken ct) => default;

    public ValueTask MoveAsync(string from, string to, CancellationToken ct)
    {
        if (AsideNames.OriginalOf(RemotePath.GetName(from)) is not null) _asides[to] = from;
        return default;
    }

    public string PathOf(string relative) => _inner.PathOf(relative);

    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        Done(paths.Count);

    public ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        Done(paths.Count);

    private string RealOf(string path) => _asides.GetValueOrDefault(path, path);

    // An aside is beside its original.
    private string NameOf(string directory, string name) =>
        RemotePath.GetName(RealOf(directory.Length == 0 ? name : $"{directory}/{name}"));

    private static ValueTask<IReadOnlyList<TransferException?>> Done(int count) => new(new TransferException?[count]);
}
