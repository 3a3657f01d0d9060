using System.Runtime.CompilerServices;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>A session whose run is a piece of test code; all else is a <see cref="MemorySession"/>.</summary>
internal sealed class ScriptedSession : TransferSession
{
    private readonly Func<ScriptedSession, IWorkSource, CancellationToken, Task> _run;
    private readonly MemorySession _rest;
    private readonly TaskCompletionSource<TransferConnectionException> _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _lost;

    public ScriptedSession(MemoryStore store, Func<ScriptedSession, IWorkSource, CancellationToken, Task> run)
    {
        _run = run;
        _rest = new MemorySession(store);
    }

    public override bool Usable => !_lost && _rest.Usable;

    /// <summary>What it says beyond the memory store's features.</summary>
    public Func<TransferFeatures, TransferFeatures> Adding { get; init; } = features => features;

    public override TransferFeatures Features => Adding(_rest.Features);

    public void Lose() => _lost = true;

    /// <summary>Why it was given up by whoever uses it, as soon as it was.</summary>
    public Task<TransferConnectionException> Broken => _broken.Task;

    public override void Break(TransferConnectionException reason) => _broken.TrySetResult(reason);

    public override Task RunAsync(IWorkSource work, CancellationToken abort) => _run(this, work, abort);

    /// <summary>Does what a decent session does.</summary>
    public Task RunWellAsync(IWorkSource work, CancellationToken abort) => _rest.RunAsync(work, abort);

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        await foreach (var entry in _rest.ListAsync(directory, report, ct)) yield return entry;
    }

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) => _rest.GetEntryAsync(path, ct);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _rest.CreateDirectoriesAsync(paths, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _rest.DeleteFilesAsync(paths, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) =>
        _rest.RemoveDirectoriesAsync(paths, ct);

    public override ValueTask RenameAsync(Renaming renaming, CancellationToken ct) => _rest.RenameAsync(renaming, ct);

    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) =>
        _rest.SetMetadataAsync(path, metadata, ct);

    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct) =>
        _rest.HashAsync(path, algorithm, ct);

    public override ValueTask DisposeAsync() => _rest.DisposeAsync();
}
