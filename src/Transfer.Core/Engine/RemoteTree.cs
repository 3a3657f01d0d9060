using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>A remote folder as a job's source or target. Each call borrows a session and gives it back.</summary>
internal sealed class RemoteTree : ISourceTree, ITargetTree
{
    /// <summary>Entries of one directory that are kept; more is not a folder but an attack.</summary>
    private const int MaxEntries = 10_000_000;

    private static readonly TimeSpan UnknownPrecision = TimeSpan.FromSeconds(1);

    private readonly Dispatcher _dispatcher;
    private readonly ClientEngine _engine;
    private readonly string _root;

    public RemoteTree(Dispatcher dispatcher, ClientEngine engine, string root)
    {
        _dispatcher = dispatcher;
        _engine = engine;
        _root = root;
    }

    public TimeSpan TimePrecision => PrecisionOf(_engine);

    public IEqualityComparer<string> Names => StringComparer.Ordinal;

    /// <summary>The finest step of a server's modification times, as far as is known.</summary>
    public static TimeSpan PrecisionOf(ClientEngine engine) => engine.Pool.LastFeatures?.TimePrecision ?? UnknownPrecision;

    public string PathOf(string relative) => relative.Length == 0 ? _root : RemotePath.Combine(_root, relative);

    public ValueTask<IReadOnlyList<TreeEntry>> ListAsync(PlannedDirectory directory, CancellationToken ct)
    {
        var path = PathOf(directory.Path);
        return _dispatcher.ControlAsync<IReadOnlyList<TreeEntry>>(async (session, token) =>
        {
            var entries = new List<TreeEntry>();
            await foreach (var entry in session.ListAsync(path, token).ConfigureAwait(false))
            {
                if (entries.Count == MaxEntries)
                    throw new TransferException(TransferError.Unsupported, $"{path} has more than {MaxEntries} entries.") { RemotePath = path };
                entries.Add(TreeEntry.From(entry, ListedNames.NameOf(path, entry)));
            }
            return entries;
        }, retry: true, ct);
    }

    public ValueTask<bool> CreateRootAsync(CancellationToken ct) =>
        _dispatcher.ControlAsync((session, token) => RemoteDirectories.EnsureAsync(session, _root, token), retry: true, ct);

    public ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories, CancellationToken ct)
    {
        var paths = directories.Select(directory => PathOf(directory.Path)).ToArray();
        return _dispatcher.ControlAsync((session, token) => session.CreateDirectoriesAsync(paths, token), retry: true, ct);
    }

    public string? Refuse(string name) => null;
}
