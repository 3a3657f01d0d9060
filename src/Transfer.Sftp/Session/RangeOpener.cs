using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Opens a file for a range of its content: a file that does not exist is made, and none is truncated. fopen has no such mode, and servers
/// over Node's ssh2 take the flags of fopen's modes only: there the file is opened as an old one, else made as a new one.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="open">Opens the file with other flags.</param>
internal sealed class RangeOpener(SftpSessionContext context, Func<SftpOpenFlags, ValueTask<SftpReply>> open)
{
    private const SftpOpenFlags Old = SftpOpenFlags.Read | SftpOpenFlags.Write;
    private const SftpOpenFlags New = SftpOpenFlags.Write | SftpOpenFlags.Create | SftpOpenFlags.New;

    /// <summary>Opens the file.</summary>
    public async ValueTask<SftpReply> OpenAsync()
    {
        var traits = context.Server.Traits;
        if (context.OpensByMode || traits.Has(SftpTrait.NamedModes)) return await OpenByModeAsync().ConfigureAwait(false);
        var reply = await open(SftpOpenFlags.Write | SftpOpenFlags.Create).ConfigureAwait(false);
        if (reply.Handle is not null || reply.Status == SftpStatus.PermissionDenied) return reply;
        var named = await OpenByModeAsync().ConfigureAwait(false);
        if (named.Handle is null) return reply;
        if (traits.Settle(SftpTrait.NamedModes, has: true)) Log.NamedModes(context.Logger);
        return named;
    }

    private async ValueTask<SftpReply> OpenByModeAsync()
    {
        var old = await open(Old).ConfigureAwait(false);
        if (old.Handle is not null || old.Status is not (SftpStatus.NoSuchFile or SftpStatus.Failure)) return old;
        var made = await open(New).ConfigureAwait(false);
        if (made.Handle is not null) return made;
        // Another session may have made the file in between.
        var late = await open(Old).ConfigureAwait(false);
        return late.Handle is not null ? late : made;
    }
}
