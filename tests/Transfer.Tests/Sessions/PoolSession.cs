using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Tests.Sessions;

/// <summary>A session that does nothing but live and die.</summary>
internal class PoolSession : TransferSession
{
    private readonly Action _onDisposed;
    private int _disposed;
    private int _users;

    public PoolSession(Action? onDisposed = null) => _onDisposed = onDisposed ?? (() => { });

    public bool Broken { get; set; }

    public bool Disposed => _disposed > 0;

    /// <summary>What closing waits for.</summary>
    public Task Closing { get; init; } = Task.CompletedTask;

    /// <summary>What it was told to expect.</summary>
    public WorkKind? Expected { get; private set; }

    public override bool Usable => !Broken && !Disposed;

    /// <summary>Deletes files; null: that is not expected of it.</summary>
    public Func<IReadOnlyList<string>, CancellationToken, Task>? Delete { get; init; }

    /// <summary>Files that it has made for itself.</summary>
    public IReadOnlyCollection<string> Own { get; init; } = [];

    public override IReadOnlyCollection<string> OwnFiles => Own;

    public override TransferFeatures Features { get; } = new();

    public override void Break(TransferConnectionException reason) => Broken = true;

    public override void GetReady(WorkKind kind) => Expected = kind;

    public override async ValueTask DisposeAsync()
    {
        await Closing;
        if (Interlocked.Increment(ref _disposed) > 1) throw new InvalidOperationException("Disposed twice.");
        _onDisposed();
    }

    /// <summary>To be called around each use: finds two users at once.</summary>
    public void Enter()
    {
        if (Interlocked.Increment(ref _users) != 1) throw new InvalidOperationException("Lent twice.");
    }

    public void Leave() => Interlocked.Decrement(ref _users);

    public override Task RunAsync(IWorkSource work, CancellationToken abort) => throw new NotSupportedException();

    public override IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken ct) =>
        throw new NotSupportedException();

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) => throw new NotSupportedException();

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        throw new NotSupportedException();

    public override async ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        await (Delete ?? throw new NotSupportedException())(paths, ct);
        return new TransferException?[paths.Count];
    }

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) =>
        throw new NotSupportedException();

    public override ValueTask RenameAsync(Renaming renaming, CancellationToken ct) => throw new NotSupportedException();

    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) =>
        throw new NotSupportedException();

    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct) => throw new NotSupportedException();
}
