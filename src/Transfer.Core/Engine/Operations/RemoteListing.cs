using System.Runtime.CompilerServices;
using Transfer.Diagnostics;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;

namespace Transfer.Engine.Operations;

/// <summary>Lists of a server's directories for the caller.</summary>
internal static class RemoteListing
{
    /// <summary>Returns the entries of a directory as they arrive; of a recursive listing also those of its subdirectories.</summary>
    /// <param name="engine">The engine of the client.</param>
    /// <param name="path">The directory, absolute.</param>
    /// <param name="options">The options of the listing.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">A listing failed, or is incomplete and may not be (thrown behind the last entry).</exception>
    public static async IAsyncEnumerable<RemoteEntry> EnumerateAsync(
        ClientEngine engine, string path, ListOptions options, [EnumeratorCancellation] CancellationToken ct)
    {
        TransferException? gap = null;
        using var share = engine.Listings.Open(path);
        var directories = new Queue<string>([path]);
        while (directories.TryDequeue(out var directory))
        {
            if (!ReferenceEquals(directory, path)) share.Return(ListingShare.CostOf(directory));
            var dropped = false;
            var listing = new BufferedListing(engine, directory, ct);
            await using (listing.ConfigureAwait(false))
            {
                await foreach (var entry in listing.ReadAsync(ct).ConfigureAwait(false))
                {
                    if (!ListedNames.IsUsable(directory, entry, engine.Logger))
                    {
                        dropped |= ListedNames.NameOf(directory, entry) is not ("." or "..");
                        continue;
                    }
                    if (options.Recursive && entry.Type == RemoteEntryType.Directory)
                    {
                        share.Take(entry.Path);
                        if (PlannedDirectory.RefuseLength(entry.Path) is { } tooLong) throw tooLong;
                        directories.Enqueue(entry.Path);
                    }
                    yield return entry;
                }
                if (dropped) listing.Report.AddGap("one of its names cannot be in a directory");
                if (listing.Report.ToError(directory) is { } lacking)
                {
                    Log.ListingPartial(engine.Logger, directory, lacking.Message);
                    gap ??= lacking;
                }
            }
        }
        if (gap is not null && !options.AcceptPartial) throw gap;
    }
}
