using Transfer.Modes;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// The umask of a server for its user's new files: found once, by an empty file that is created with 0666, looked at and removed. SETSTAT
/// applies no umask, and the content's own file must never be open to other users.
/// </summary>
internal sealed class SftpUmask
{
    private const string Ending = ".part";
    private const string More = "0000000";

    // The network may be the reason of one.
    private const int MostLosses = 2;

    private readonly Lock _gate = new();
    private Task<UnixFileMode?>? _asking;
    private int _missed;
    private int _losses; // sessions that were lost over a probe

    public SftpUmask()
    {
    }

    /// <param name="known">The umask, known from the beginning.</param>
    public SftpUmask(UnixFileMode known) => _asking = Task.FromResult<UnixFileMode?>(known);

    /// <summary>The umask, where the server has shown it; else null.</summary>
    public UnixFileMode? Known
    {
        get
        {
            var asking = Volatile.Read(ref _asking);
            return asking is { IsCompleted: true } ? asking.Result : null;
        }
    }

    /// <summary>Finds the umask, unless found already. The requests leave at once; null: the server has not shown it.</summary>
    /// <param name="context">The session.</param>
    /// <param name="beside">A temporary file in the folder of the probe.</param>
    /// <param name="isComplete">Whether that file has its content: then no probe follows one that has cost a session.</param>
    public Task<UnixFileMode?> FindAsync(SftpSessionContext context, string beside, bool isComplete = false)
    {
        lock (_gate)
        {
            var mayProbe = Volatile.Read(ref _losses) < (isComplete ? 1 : MostLosses);
            if (_asking is { IsCompleted: true, Result: null } && mayProbe) _asking = null;
            return _asking ??= ProbeAsync(context, NameBeside(beside));
        }
    }

    /// <summary>Finds the umask for a file that has its content; the first failure is a warning.</summary>
    /// <inheritdoc cref="FindAsync"/>
    public async ValueTask<UnixFileMode?> FindLateAsync(SftpSessionContext context, string beside)
    {
        var umask = await FindAsync(context, beside, isComplete: true).ConfigureAwait(false);
        // A lost session gives no reply, and the file is published, or sent again, by another.
        if (umask is null && context.Engine.Fault is null && Interlocked.Exchange(ref _missed, 1) == 0) Log.ModeUnknown(context.Logger);
        return umask;
    }

    private async Task<UnixFileMode?> ProbeAsync(SftpSessionContext context, string path)
    {
        var operations = context.Operations;
        context.OwnFiles[path] = 0;
        try
        {
            var flags = SftpOpenFlags.Write | SftpOpenFlags.Create | SftpOpenFlags.New;
            var opening = operations.OpenAsync(path, flags, new SftpAttributes { Permissions = (uint)FinalMode.Usual },
                CancellationToken.None);
            var looking = context.IsUnordered ? (PendingReply?)null : Look();
            var opened = await opening.ConfigureAwait(false);
            var look = looking is { } asked ? await asked.ConfigureAwait(false) : (SftpReply?)null;
            if (opened.Handle is not { } handle)
            {
                context.OwnFiles.TryRemove(path, out _);
                return null;
            }
            // LSTAT may have overtaken OPEN.
            var seen = look is { IsOk: true } early ? early : await Look().ConfigureAwait(false);
            var closing = operations.CloseAsync(handle);
            var removing = context.IsUnordered ? (PendingReply?)null : Remove();
            await closing.ConfigureAwait(false);
            var removed = await (removing ?? Remove()).ConfigureAwait(false);
            context.OwnFiles.TryRemove(path, out _);
            if (!removed.IsOk) Log.TemporaryFileLeft(context.Logger, path, (uint)removed.Status);
            if (!seen.IsOk || seen.Attributes.Mode is not { } mode) return null;
            var umask = FinalMode.UmaskOf(mode);
            Log.UmaskFound(context.Logger, Convert.ToString((int)umask, 8));
            return umask;
        }
        catch (TransferConnectionException e)
        {
            Interlocked.Increment(ref _losses);
            Log.UmaskUnknown(context.Logger, e.Message);
            return null;
        }

        PendingReply Look() => operations.StatAsync(path, follow: false, CancellationToken.None);

        PendingReply Remove() => operations.RemoveAsync(path, CancellationToken.None);
    }

    // A name that leftovers are recognised by, and that no file of the job has.
    private static string NameBeside(string temporary) =>
        temporary.EndsWith(Ending, StringComparison.Ordinal) ? temporary[..^Ending.Length] + More + Ending : temporary + More;
}
