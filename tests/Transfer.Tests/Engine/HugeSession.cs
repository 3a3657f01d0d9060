using System.Runtime.CompilerServices;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>
/// A server with one directory of very many files of one byte; each is refused, unless it is said which are: what is tried is the planning.
/// </summary>
internal sealed class HugeSession(int count, Func<string, bool>? refuses = null) : TransferSession
{
    public override bool Usable => true;

    public override TransferFeatures Features => new();

    public override async Task RunAsync(IWorkSource work, CancellationToken abort)
    {
        var items = new WorkItem[64];
        int taken;
        while ((taken = await work.TakeAsync(items, abort)) > 0)
        {
            foreach (var item in items.AsMemory(0, taken).ToArray())
            {
                if (refuses is null || refuses(item.Path))
                {
                    item.Complete(new WorkOutcome.Failed(new TransferException(TransferError.Denied, "no")));
                    continue;
                }
                await item.Content.WriteAsync(0, new byte[1], abort);
                item.Complete(new WorkOutcome.Done(1, VerificationMode.Size));
            }
        }
    }

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        for (var i = 0; i < count; i++)
        {
            if (i % 1000 == 0) await Task.Yield();
            yield return new RemoteEntry
            {
                Path = $"{directory}/a-file-with-a-name-of-usual-length-{i:D8}.dat",
                Type = RemoteEntryType.File,
                Length = refuses is null ? i : 1,
                Modified = Samples.Time
            };
        }
    }

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) => new((RemoteEntry?)null);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        new([.. paths.Select(_ => new DirectoryOutcome { Created = true })]);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        new(new TransferException?[paths.Count]);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) =>
        new(new TransferException?[paths.Count]);

    public override ValueTask RenameAsync(Renaming renaming, CancellationToken ct) => default;

    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) => default;

    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct) => new((string?)null);

    public override ValueTask DisposeAsync() => default;
}
