using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Renames, for publishing and for moving. posix-rename@openssh.com replaces in one step. Plain RENAME must not replace (draft-ietf-secsh-filexfer-02
/// section 6.5), and where only that is offered the target is deleted first.
/// </summary>
internal sealed class SftpPublisher
{
    // By that mark those know it who know no SFTP.
    private const string AllThereIs = "Transfer.AllThereIs";

    private readonly SftpSessionContext _context;

    public SftpPublisher(SftpSessionContext context) => _context = context;

    public static TransferException Exists(string path) => new(TransferError.Exists, $"{path} exists.") { RemotePath = path };

    /// <summary>Gives a finished file its name; what went wrong, or null.</summary>
    public ValueTask<TransferException?> PublishAsync(string temporary, string path, WorkItem item) =>
        PublishAsync(temporary, path, item.TemporaryPath!, item.Path, item.Replace);

    /// <inheritdoc cref="PublishAsync(string, string, WorkItem)"/>
    public ValueTask<TransferException?> PublishAsync(string temporary, string path, string shownTemporary, string shownPath, bool replace) =>
        !replace && !_context.RenamesSafely && _context.Offers(SftpExtension.HardLink) && !_context.Server.NoHardLinks
            ? LinkAsync(temporary, path, shownTemporary, shownPath)
            : RenameAsync(temporary, path, shownTemporary, shownPath, replace, CancellationToken.None, isTemporary: true);

    /// <summary>Renames; what went wrong, or null. Both names twice: the server's form, and the caller's for messages.</summary>
    public async ValueTask<TransferException?> RenameAsync(
        string from, string to, string shownFrom, string shownTo, bool replace, CancellationToken ct, bool isTemporary = false)
    {
        var posix = replace && _context.Offers(SftpExtension.PosixRename);
        var reply = await _context.Operations.RenameAsync(from, to, posix, ct).ConfigureAwait(false);
        if (reply.IsOk) return null;
        if (posix && reply.Status == SftpStatus.Unsupported)
        {
            posix = false;
            reply = await _context.Operations.RenameAsync(from, to, posix: false, ct).ConfigureAwait(false);
            if (reply.IsOk) return null;
        }
        var error = SftpErrors.ToException(reply, "RENAME", shownTo);
        // Denied or unknown to the server: the target is not what is in the way.
        if (posix || reply.Status is not (SftpStatus.Failure or SftpStatus.FileAlreadyExists)) return error;
        var target = await _context.Operations.StatAsync(to, follow: false, ct).ConfigureAwait(false);
        if (!target.IsOk) return error;
        if (!replace) return Exists(shownTo);
        if (target.Attributes.Type == RemoteEntryType.Directory) return error;
        var beside = Beside(from, to);
        if (!isTemporary || beside == from) return await ReplaceAsync(from, to, shownFrom, shownTo, ct).ConfigureAwait(false);
        // The old file goes only when the new one is in its folder: out of another file system it would never come there.
        if (!(await _context.Operations.RenameAsync(from, beside, posix: false, ct).ConfigureAwait(false)).IsOk) return error;
        var failed = await ReplaceAsync(beside, to, Beside(shownFrom, shownTo), shownTo, ct).ConfigureAwait(false);
        if (failed is not null && !IsAllThereIs(failed)) await DeleteTemporaryAsync(beside).ConfigureAwait(false);
        return failed;
    }

    /// <summary>The old file is gone and the new one did not get its name: the temporary file is all there is, and stays.</summary>
    public static bool IsAllThereIs(TransferException error) => error.Data.Contains(AllThereIs);

    public async ValueTask DeleteTemporaryAsync(string path)
    {
        var reply = await _context.Operations.RemoveAsync(path, CancellationToken.None).ConfigureAwait(false);
        if (!reply.IsOk && reply.Status != SftpStatus.NoSuchFile) Log.TemporaryFileLeft(_context.Logger, path, (uint)reply.Status);
    }

    // Many servers' RENAME is their system's and replaces, or looks first and renames then. A second name is never one that is taken, whoever else
    // makes a file of that name at this moment. Where the file system has no second names, it is a RENAME after all.
    private async ValueTask<TransferException?> LinkAsync(string temporary, string path, string shownTemporary, string shownPath)
    {
        var linked = await _context.Operations.HardLinkAsync(temporary, path, CancellationToken.None).ConfigureAwait(false);
        if (linked.IsOk)
        {
            await DeleteTemporaryAsync(temporary).ConfigureAwait(false);
            return null;
        }
        if (linked.Status == SftpStatus.FileAlreadyExists) return Exists(shownPath);
        var there = await _context.Operations.StatAsync(path, follow: false, CancellationToken.None).ConfigureAwait(false);
        if (there.IsOk) return Exists(shownPath);
        if (await RenameAsync(temporary, path, shownTemporary, shownPath, replace: false, CancellationToken.None).ConfigureAwait(false) is { } error) return error;
        // Else it says nothing: out of another file system there is neither.
        _context.Server.NoHardLinks = true;
        Log.NoHardLinks(_context.Logger, shownPath, (uint)linked.Status);
        return null;
    }

    // A temporary file's name in its target's folder. The server's form of a path may be a name alone.
    private static string Beside(string temporary, string path) => RemotePath.Combine(RemotePath.GetParent(path) ?? "/", RemotePath.GetName(temporary));

    private async ValueTask<TransferException?> ReplaceAsync(string from, string to, string shownFrom, string shownTo, CancellationToken ct)
    {
        if (!_context.Server.ReplacesInTwoSteps)
        {
            _context.Server.ReplacesInTwoSteps = true;
            Log.ReplacedInTwoSteps(_context.Logger, shownTo);
        }
        // Both at once: the shorter the target is away the better.
        var removal = _context.Operations.RemoveAsync(to, ct);
        var renaming = _context.Operations.RenameAsync(from, to, posix: false, ct);
        var removed = await removal.ConfigureAwait(false);
        var renamed = await renaming.ConfigureAwait(false);
        if (renamed.IsOk) return null;
        if (!removed.IsOk) return SftpErrors.ToException(removed, "REMOVE", shownTo);
        var reason = SftpErrors.ToException(renamed, "RENAME", shownTo);
        var error = new TransferException(reason.Error, $"{reason.Message} The new content is in {shownFrom}.") { RemotePath = shownTo, ServerCode = reason.ServerCode };
        error.Data[AllThereIs] = true;
        return error;
    }
}
