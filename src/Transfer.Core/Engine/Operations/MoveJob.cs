using Transfer.Engine.Cleaning;
using Transfer.Engine.Scheduling;
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
                source = await session.GetEntryAsync(from, token).ConfigureAwait(false)
                    ?? throw new TransferException(TransferError.NotFound, $"{from} does not exist.") { RemotePath = from };
            }

            var renaming = new Renaming(from, to)
            {
                Replace = overwrite,
                IsLink = source!.Type == RemoteEntryType.Link,
                MayBeLink = source.Type == RemoteEntryType.File && session.Features.FollowsLinks,
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
}
