using System.Net;
using Transfer;
using Transfer.Replacing;

namespace WebDavProvider;

/// <summary>A replacement's steps as WebDAV has them: MOVE, PROPFIND and DELETE.</summary>
/// <param name="requests">The session's requests.</param>
/// <param name="look">Describes a path; null when it is proved to be absent.</param>
internal sealed class WebDavRenamer(WebDavRequests requests, Func<string, CancellationToken, ValueTask<RemoteEntry?>> look) : IRenamer
{
    private static readonly HttpMethod Move = new("MOVE");

    public async ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames,
        CancellationToken cancellationToken)
    {
        var replies = new List<RenameReply>();
        foreach (var rename in renames) replies.Add(await RenameAsync(rename, cancellationToken));
        return replies;
    }

    public async ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken)
    {
        var sights = new List<NameSight>();
        foreach (var path in paths)
        {
            try
            {
                sights.Add(NameSight.Of(await look(path, cancellationToken)));
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                sights.Add(default); // A refused look proves nothing: the name may be taken.
            }
        }
        return sights;
    }

    public async ValueTask<TransferException?> DeleteAsync(string path, CancellationToken cancellationToken)
    {
        using var answer = await requests.SendAsync(HttpMethod.Delete, path, null, cancellationToken);
        return answer.IsSuccessStatusCode ? null : WebDavErrors.Of(answer, "DELETE", path);
    }

    private async Task<RenameReply> RenameAsync(ReplacementStep.Rename rename, CancellationToken ct)
    {
        // MOVE with Overwrite deletes a folder at the target, with all that is in it (RFC 4918 section 9.9.3).
        if (rename.Replaces && (await LookAsync([rename.To], ct))[0].State is NameState.Directory or NameState.Unknown)
            return new(RenameAnswer.Denied, InTheWay(rename.To));
        using var answer = await requests.SendAsync(Move, rename.From, request =>
        {
            request.Headers.Add("Destination", requests.AbsoluteUrlOf(rename.To));
            request.Headers.Add("Overwrite", rename.Replaces ? "T" : "F");
        }, ct);
        // 207 tells of parts that could not be moved.
        if (answer.IsSuccessStatusCode && answer.StatusCode != HttpStatusCode.MultiStatus) return new(RenameAnswer.Done);
        return new(AnswerOf(answer.StatusCode), WebDavErrors.Of(answer, "MOVE to", rename.To));
    }

    private static TransferException InTheWay(string path) => new(TransferError.Exists, $"{path} is in the way.") { RemotePath = path };

    private static RenameAnswer AnswerOf(HttpStatusCode status) => status switch
    {
        HttpStatusCode.PreconditionFailed => RenameAnswer.Refused,
        HttpStatusCode.NotFound => RenameAnswer.SourceRefused,
        HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented => RenameAnswer.Unsupported,
        HttpStatusCode.Locked or HttpStatusCode.TooManyRequests or >= (HttpStatusCode)500 => RenameAnswer.Later,
        _ => RenameAnswer.Denied,
    };
}
