using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Session;

/// <summary>The space at a server (statvfs@openssh.com).</summary>
internal static class SftpSpace
{
    /// <summary>Returns the space at a path, in the server's form; null: the server does not report it.</summary>
    public static async ValueTask<StorageSpace?> FindAsync(SftpSessionContext context, string path, string asked, CancellationToken ct)
    {
        if (!context.Offers(SftpExtension.StatVfs)) return null;
        var reply = await context.Operations.StatVfsAsync(path, ct).ConfigureAwait(false);
        if (!reply.IsOk) throw SftpErrors.ToException(reply, "statvfs", asked);
        return context.Read(reply, static bytes =>
        {
            var reader = new SshReader(bytes);
            reader.ReadUInt64(); // f_bsize
            var unit = reader.ReadUInt64();
            var total = Bytes(unit, reader.ReadUInt64());
            reader.ReadUInt64(); // f_bfree: root's reserve too
            return (StorageSpace?)new StorageSpace(Bytes(unit, reader.ReadUInt64()), total);
        });
    }

    private static long Bytes(ulong unit, ulong count) => (long)UInt128.Min((UInt128)unit * count, long.MaxValue);

    /// <summary>
    /// Finds out whether a file could not be written for want of space: FAILURE stands for that and for much else.
    /// </summary>
    /// <param name="context">The session.</param>
    /// <param name="error">The refusal.</param>
    /// <param name="folder">The file's folder, in the server's form.</param>
    /// <param name="length">The file's length in bytes; null: not known. Other files that failed may be deleted by now, and less than
    /// this is available then: enough for some bytes, and not for the file.</param>
    public static async ValueTask<TransferException> ExplainAsync(SftpSessionContext context, TransferException error, string? folder,
        long? length)
    {
        if (folder is null || error.ServerCode != (int)SftpStatus.Failure || context.Engine.Fault is not null) return error;
        try
        {
            var space = await FindAsync(context, folder, folder, CancellationToken.None).ConfigureAwait(false);
            if (space is null || space.Available > 0 && space.Available >= (length ?? 0)) return error;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Log.NotSeen(context.Logger, e.Message);
            return error;
        }
        return new TransferException(TransferError.Quota,
            $"{error.RemotePath}: no space is left at the server ({error.Message.TrimEnd('.')}).")
        {
            RemotePath = error.RemotePath,
            ServerCode = error.ServerCode,
        };
    }
}
