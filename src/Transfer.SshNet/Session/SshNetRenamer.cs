using Microsoft.Extensions.Logging;
using Renci.SshNet.Sftp;
using Transfer.Replacing;
using Transfer.SshNet.Diagnostics;

namespace Transfer.SshNet.Session;

/// <summary>
/// The steps of a replacement over SSH.NET. Posix-rename there resolves both paths, and would replace the target of a link at the new name:
/// such a link is refused, so that it is moved aside. Its plain RENAME of a described file resolves neither.
/// </summary>
/// <param name="calls">The session's calls.</param>
/// <param name="looks">The session's looks.</param>
/// <param name="server">The knowledge of the server.</param>
/// <param name="logger">The log.</param>
internal sealed class SshNetRenamer(SshNetCalls calls, SshNetLooks looks, SshNetServerState server, ILogger logger) : IRenamer
{
    public async ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames,
        CancellationToken cancellationToken)
    {
        var replies = new RenameReply[renames.Count];
        for (var i = 0; i < replies.Length; i++)
        {
            replies[i] = await RenameAsync(renames[i], cancellationToken).ConfigureAwait(false);
            if (replies[i].IsDone) replies[i] = await CheckAsync(renames[i], cancellationToken).ConfigureAwait(false);
        }
        return replies;
    }

    public async ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken) =>
        [.. (await looks.AtAllAsync(paths, cancellationToken).ConfigureAwait(false)).Select(sight => NameSight.Of(sight.ToOutcome()))];

    public async ValueTask<TransferException?> DeleteAsync(string path, CancellationToken cancellationToken) =>
        (await DeleteAllAsync([path], isFolder: false, cancellationToken).ConfigureAwait(false))[0];

    /// <summary>Deletes names themselves, never the targets of links; returns an error or null for each, in order.</summary>
    /// <param name="paths">The paths.</param>
    /// <param name="isFolder">Whether the paths are empty folders; else files, links and the like.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<IReadOnlyList<TransferException?>> DeleteAllAsync(IReadOnlyList<string> paths, bool isFolder,
        CancellationToken ct)
    {
        var errors = new List<TransferException?>(paths.Count);
        foreach (var some in paths.Chunk(SshNetLooks.Together))
        {
            var sights = await looks.AtAllAsync(some, ct).ConfigureAwait(false);
            errors.AddRange(await SshNetLooks.TogetherAsync(sights, sight => DeleteAsync(sight, isFolder, ct)).ConfigureAwait(false));
        }
        if (server.ConfirmsChanges) return errors;
        TransferException?[] judged = [.. errors];
        await server.Changes.CheckDeletionsAsync(isFolder, paths, judged, looks.OutcomesOfAsync,
            i => SshNetLooks.WithoutEffect($"{paths[i]}: the server confirms the deletion, but it is still there.", paths[i]), ct)
            .ConfigureAwait(false);
        return judged;
    }

    private async Task<TransferException?> DeleteAsync(Sight sight, bool isFolder, CancellationToken ct)
    {
        try
        {
            var file = sight.RequireFile();
            // SSH.NET would choose the request by the entry's type.
            if (file.IsDirectory != isFolder) throw Wrong(sight.Path, isFolder);
            await calls.RunAsync("Cannot delete", sight.Path, async (_, watch) =>
            {
                await file.DeleteAsync(watch.Token).ConfigureAwait(false);
                return true;
            }, ct).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return e;
        }
    }

    // Only the old name counts: a hot folder may take the new one away at once.
    private async ValueTask<RenameReply> CheckAsync(ReplacementStep.Rename rename, CancellationToken ct)
    {
        if (server.ConfirmsChanges || rename.MayBeOneName) return new(RenameAnswer.Done);
        var sight = await looks.AtAsync(rename.From, ct).ConfigureAwait(false);
        return sight.File is null ? new(RenameAnswer.Done) : new(RenameAnswer.WithoutEffect, SshNetLooks.WithoutEffect(
            $"The server confirms the rename to {rename.To}, but {rename.From} is still there under that name.", rename.To));
    }

    private async ValueTask<RenameReply> RenameAsync(ReplacementStep.Rename rename, CancellationToken ct)
    {
        try
        {
            var sights = await looks.AtAllAsync(rename.Replaces ? [rename.From, rename.To] : [rename.From], ct).ConfigureAwait(false);
            if (sights[0].File is not { } source) return new(RenameAnswer.SourceRefused, sights[0].Error ?? sights[0].Absent());
            if (rename.Replaces && sights[1] is { Error: { } unseen }) return new(RenameAnswer.Denied, unseen);
            if (rename.Replaces && sights[1].File is { IsSymbolicLink: true }) return new(RenameAnswer.Refused, Exists(rename.To));
            var mayReplace = rename.Replaces && !source.IsSymbolicLink && !server.NoPosixRename;
            if (mayReplace) return await ReplaceAsync(rename, source, ct).ConfigureAwait(false);
            await MoveAsync(rename, source, ct).ConfigureAwait(false);
            return new(RenameAnswer.Done);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new(AnswerOf(e), e);
        }
    }

    // Some servers announce the extension, and lack it, refuse it always, or do nothing.
    private async ValueTask<RenameReply> ReplaceAsync(ReplacementStep.Rename rename, ISftpFile source, CancellationToken ct)
    {
        var posix = await ByPosixAsync(rename, source, ct).ConfigureAwait(false);
        if (posix.IsDone) server.HasPosixRename = true;
        if (posix.Answer == RenameAnswer.Unsupported) LeavePosixRename();
        if (server.HasPosixRename) return posix;
        try
        {
            await MoveAsync(rename, source, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException && posix.Answer != RenameAnswer.Unsupported)
        {
            return posix;
        }
        LeavePosixRename();
        return new(RenameAnswer.Done);
    }

    private async ValueTask<RenameReply> ByPosixAsync(ReplacementStep.Rename rename, ISftpFile source, CancellationToken ct)
    {
        try
        {
            await calls.RunBlockingAsync("Cannot rename to", rename.To, client =>
            {
                client.RenameFile(source.FullName, looks.Expand(rename.To), isPosix: true);
                return true;
            }, ct).ConfigureAwait(false);
            return await CheckAsync(rename, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new(AnswerOf(e), e);
        }
    }

    private void LeavePosixRename()
    {
        if (server.NoPosixRename) return;
        server.NoPosixRename = true;
        Log.NoPosixRename(logger);
    }

    private Task<bool> MoveAsync(ReplacementStep.Rename rename, ISftpFile source, CancellationToken ct) =>
        calls.RunBlockingAsync("Cannot rename to", rename.To, _ =>
    {
        source.MoveTo(looks.Expand(rename.To));
        return true;
    }, ct);

    private static TransferException Wrong(string path, bool isFolder) =>
        new(TransferError.Denied, $"{path} is {(isFolder ? "no folder" : "a folder")}.") { RemotePath = path };

    private static TransferException Exists(string path) => new(TransferError.Exists, $"{path} exists.") { RemotePath = path };

    private static RenameAnswer AnswerOf(TransferException error) => error switch
    {
        { Error: TransferError.NotFound } => RenameAnswer.SourceRefused,
        { Error: TransferError.Unsupported } => RenameAnswer.Unsupported,
        _ => RenameAnswer.Refused,
    };
}
