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
        var walk = new RemoteWalk(engine, path, options, ct);
        await using var walkEnd = walk.ConfigureAwait(false);
        var top = Depth(path);
        while (await walk.NextAsync().ConfigureAwait(false) is { } listing)
        {
            var (directory, dropped, sign, isListed) = (listing.Directory, false, default(ListingSign), true);
            var names = new RepeatedNames();
            var entries = listing.ReadAsync(ct).GetAsyncEnumerator(ct);
            await using var entriesEnd = entries.ConfigureAwait(false);
            while (true)
            {
                try
                {
                    if (!await entries.MoveNextAsync().ConfigureAwait(false)) break;
                }
                catch (TransferException e) when (e is not TransferConnectionException && directory != path)
                {
                    // Other folders can be listed.
                    gap ??= Unlisted(engine, directory, e);
                    isListed = false;
                    break;
                }
                var entry = entries.Current;
                if (!ListedNames.IsUsable(directory, entry, engine.Logger))
                {
                    dropped |= ListedNames.NameOf(directory, entry) is not ("." or "..");
                    continue;
                }
                names.Add(entry.Path);
                if (options.Recursive) sign = sign.With(entry);
                if (options.Recursive && entry.Type == RemoteEntryType.Directory
                    && (options.MaxDepth is not { } depth || Depth(entry.Path) - top < depth))
                {
                    if (PlannedDirectory.RefuseLength(entry.Path) is { } tooLong) throw tooLong;
                    walk.Add(entry.Path);
                }
                yield return entry;
            }
            if (dropped) listing.Report.AddGap("one of its names cannot be in a directory");
            names.ReportTo(listing.Report);
            if (listing.Report.ToError(directory) is { } lacking)
            {
                Log.ListingPartial(engine.Logger, directory, lacking.Message);
                gap ??= lacking;
            }
            if (isListed && await walk.RefuseLoopAsync(sign).ConfigureAwait(false) is { } loop)
                gap ??= Unlisted(engine, directory, loop);
        }
        if (gap is not null && !options.AcceptPartial) throw gap;
    }

    // The components of a path; a slash at the end is none.
    private static int Depth(string path) => path.AsSpan().TrimEnd('/').Count('/');

    private static TransferException Unlisted(ClientEngine engine, string directory, TransferException error)
    {
        Log.ListingPartial(engine.Logger, directory, error.Message);
        return new(TransferError.Partial, $"{directory} could not be listed: {error.Message}", error) { RemotePath = directory };
    }
}
