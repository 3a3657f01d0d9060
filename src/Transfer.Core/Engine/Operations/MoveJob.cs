using Transfer.Engine.Cleaning;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Trees;
using Transfer.Pooling;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>Gives one file or folder another path, also when a session is lost meanwhile.</summary>
internal static class MoveJob
{
    /// <summary>Renames the file or folder.</summary>
    /// <param name="engine">The engine that has the sessions.</param>
    /// <param name="from">The present path, absolute.</param>
    /// <param name="to">The new path, absolute.</param>
    /// <param name="overwrite">Whether an existing file may be replaced.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The file or folder has not got the new path.</exception>
    public static async ValueTask RunAsync(ClientEngine engine, string from, string to, bool overwrite, CancellationToken ct)
    {
        var asides = new AsideNames(new TemporaryNames());
        RemoteEntry? source = null;
        var begun = false;
        try
        {
            await engine.ControlAsync("move", RunAsync, retry: true, ct, from).ConfigureAwait(false);
        }
        finally
        {
            // Asides of a move that was broken off between two steps.
            if (asides.Open is { Count: > 0 } open)
            {
                await new AsideRecovery((action, token) => engine.Pool.UseAsync(action, retry: true, token), engine.Logger).RunAsync(open,
                    asides, stays: null, CancellationToken.None).ConfigureAwait(false);
            }
        }

        async ValueTask<bool> RunAsync(TransferSession session, CancellationToken token)
        {
            if (!begun)
            {
                var looks = await session.GetEntriesAsync(overwrite ? [from, to] : [from], token).ConfigureAwait(false);
                if (looks[0].Error is { } unknown) throw unknown;
                source = looks[0].Entry
                    ?? throw new TransferException(TransferError.NotFound, $"{from} does not exist.") { RemotePath = from };
                if (overwrite && MayLead(source, looks[1])) source = await AsListedAsync(session, source, token).ConfigureAwait(false);
            }

            var isLink = source!.Type == RemoteEntryType.Link;
            var renaming = new Renaming(from, to)
            {
                Replace = overwrite,
                IsLink = isLink,
                LinkEnd = isLink && overwrite ? await EndOfAsync(session, from, token).ConfigureAwait(false) : null,
                IsDirectory = source.Type == RemoteEntryType.Directory,
                // Length and time identify a file that a lost session has renamed.
                Length = source.Type == RemoteEntryType.Directory ? null : source.Length,
                Modified = source.Modified,
                InDoubt = begun,
                Trace = asides.Trace(from, to),
                Asides = asides,
            };
            begun = true;
            await session.RenameAsync(renaming, token).ConfigureAwait(false);
            return true;
        }
    }

    // Looks follow links at some servers (SIZE and MDTM, LSTAT of mod_sftp), and show the length of the file to which a link leads.
    private static bool MayLead(RemoteEntry entry, in EntryOutcome target) => entry.Type == RemoteEntryType.File && !target.IsAbsent
        && (target.Entry?.Length is not { } there || entry.Length is not { } length || there == length);

    // The listing of the folder shows a link as such.
    private static async ValueTask<RemoteEntry> AsListedAsync(TransferSession session, RemoteEntry entry, CancellationToken ct)
    {
        try
        {
            if (await ListedEntry.FindAsync(session, entry, ct).ConfigureAwait(false) is { Type: RemoteEntryType.Link })
                return entry with { Type = RemoteEntryType.Link };
        }
        catch (TransferException e) when (e is not TransferConnectionException && session.Usable)
        {
            // A folder that cannot be listed tells nothing about its names.
        }
        return entry;
    }

    // Looks at a link may show the length of the link's text. Null: the protocol does not follow links.
    private static async ValueTask<NameSight?> EndOfAsync(TransferSession session, string link, CancellationToken ct)
    {
        var end = (await session.FollowLinksAsync([link], ct).ConfigureAwait(false))[0];
        return end.Error is null ? NameSight.Of(end.Entry) : null;
    }
}
