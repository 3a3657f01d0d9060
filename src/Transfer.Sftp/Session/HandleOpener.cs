using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Opens files and directories of a session. FAILURE may mean too many open handles: the request is repeated with fewer and fewer, until
/// this one is alone.
/// </summary>
internal sealed class HandleOpener(SftpSessionContext context)
{
    // After so many refusals not caused by open handles, FAILURE is no longer taken for their limit.
    private const int MostRefusals = 3;

    private int _refusalsBelowLimit;

    /// <summary>Opens a handle; the caller has a place among the open ones, before and after.</summary>
    /// <param name="what">The path, and what else the request needs.</param>
    /// <param name="open">Sends the request.</param>
    public async ValueTask<SftpReply> OpenAsync<T>(T what, Func<SftpOperations, T, PendingReply> open)
    {
        var handles = context.Handles;
        var (before, taken) = (handles.Limit, handles.Taken);
        var reply = await open(context.Operations, what).ConfigureAwait(false);
        var lowered = false;
        while (reply.Status == SftpStatus.Failure && Volatile.Read(ref _refusalsBelowLimit) < MostRefusals && handles.TryHalve(taken))
        {
            lowered = true;
            handles.Return();
            await handles.TakeAsync().ConfigureAwait(false);
            taken = handles.Taken;
            reply = await open(context.Operations, what).ConfigureAwait(false);
        }
        if (!lowered) return reply;
        if (reply.IsOk)
        {
            Log.FewerHandles(context.Logger, handles.Limit);
            return reply;
        }
        Interlocked.Increment(ref _refusalsBelowLimit);
        handles.Restore(before);
        return reply;
    }
}
