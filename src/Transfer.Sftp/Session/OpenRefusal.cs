using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>The errors of a refused OPEN for writing: the codes say little.</summary>
internal static class OpenRefusal
{
    /// <summary>Returns the error of an upload.</summary>
    /// <param name="context">The session.</param>
    /// <param name="item">The upload.</param>
    /// <param name="open">The refusal.</param>
    public static async ValueTask<TransferException> ExplainAsync(SftpSessionContext context, WorkItem item, SftpReply open)
    {
        var written = item.TemporaryPath ?? item.Path;
        var refused = Of(context, open, item.AskedPath, isTemporary: written != item.AskedPath);
        if (open.Status != SftpStatus.Failure) return refused;
        var path = context.Expand(written);
        var there = item.TemporaryPath is null
            ? await context.Operations.StatAsync(path, follow: false, CancellationToken.None).ConfigureAwait(false)
            : new SftpReply { Status = SftpStatus.NoSuchFile };
        if (there is { IsOk: true, Attributes.Type: RemoteEntryType.Directory }) return SftpRenamer.IsFolder(item.Path);
        if (there.IsOk && !item.Replace) return SftpRenamer.Exists(item.Path);
        return await SftpSpace.ExplainAsync(context, refused, RemotePath.GetParent(path), item.Content.Length).ConfigureAwait(false);
    }

    /// <summary>Returns the error of a file. Where the server has rules for names, these may concern the temporary name alone.</summary>
    /// <param name="context">The session.</param>
    /// <param name="open">The refusal.</param>
    /// <param name="path">The path of the file as the caller knows it.</param>
    /// <param name="isTemporary">Whether the file was to have a temporary name.</param>
    public static TransferException Of(SftpSessionContext context, in SftpReply open, string path, bool isTemporary)
    {
        var refused = SftpErrors.ToException(open, "OPEN", path);
        return isTemporary && !context.TakesAnyName
            && open.Status is SftpStatus.PermissionDenied or SftpStatus.Failure or SftpStatus.InvalidFilename
            ? ReplacementDriver.WithDirectWay(refused) : refused;
    }
}
