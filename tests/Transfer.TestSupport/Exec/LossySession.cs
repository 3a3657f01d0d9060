using System.Runtime.CompilerServices;
using Transfer.Local.Provider;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.TestSupport.Exec;

/// <summary>
/// A session at this machine's files that is lost with a rename which was done all the same, or not, or with folders which were created.
/// </summary>
internal sealed class LossySession(
    LocalSession inner, Func<string, string, RenameLoss>? losing, Func<IReadOnlyList<string>, bool>? losingFolders,
    Action? moving, Func<string, Task>? listing) : TransferSession
{
    private bool _lost;

    public override bool Usable => !_lost && inner.Usable;

    public override TransferFeatures Features => inner.Features;

    public override async ValueTask RenameAsync(Renaming renaming, CancellationToken ct)
    {
        var loss = losing?.Invoke(renaming.From, renaming.To) ?? RenameLoss.None;
        if (loss != RenameLoss.Before) await inner.RenameAsync(renaming, ct);
        if (loss != RenameLoss.None) throw Lose();
    }

    public override Task RunAsync(IWorkSource work, CancellationToken abort)
    {
        moving?.Invoke();
        return inner.RunAsync(work, abort);
    }

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        if (listing is not null) await listing(directory).WaitAsync(ct);
        await foreach (var entry in inner.ListAsync(directory, report, ct)) yield return entry;
    }

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) => inner.GetEntryAsync(path, ct);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        inner.CreateDirectoriesAsync(paths, ct);

    public override async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        IReadOnlyList<UnixFileMode?> modes, CancellationToken ct)
    {
        var outcomes = await inner.CreateDirectoriesAsync(paths, modes, ct);
        return losingFolders?.Invoke(paths) == true ? throw Lose() : outcomes;
    }

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        inner.DeleteFilesAsync(paths, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) => inner.RemoveDirectoriesAsync(paths, ct);

    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) =>
        inner.SetMetadataAsync(path, metadata, ct);

    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct) =>
        inner.HashAsync(path, algorithm, ct);

    public override ValueTask DisposeAsync() => inner.DisposeAsync();

    private TransferConnectionException Lose()
    {
        _lost = true;
        return new TransferConnectionException(TransferError.Lost, "The connection was lost.");
    }
}
