using Transfer.Replacing;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// The steps of a replacement over FTP: RNFR and RNTO (RFC 959 section 4.1.3), DELE, and looks. FluentFTP's <c>MoveFile</c> is not used,
/// as it deletes the target before the rename.
/// </summary>
internal sealed class FluentRenamer : IRenamer
{
    private readonly FluentControl _control;
    private readonly FluentLookUp _lookUp;

    public FluentRenamer(FluentControl control, FluentLookUp lookUp)
    {
        _control = control;
        _lookUp = lookUp;
    }

    public async ValueTask<IReadOnlyList<RenameReply>> RenameAsync(
        IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken ct) =>
        await OneByOne.RunAsync(renames, RenameAsync, ct).ConfigureAwait(false);

    public async ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        [.. (await _lookUp.LookAllAsync(paths, ct).ConfigureAwait(false)).Select(NameSight.Of)];

    public async ValueTask<TransferException?> DeleteAsync(string path, CancellationToken ct)
    {
        if (_control.WhyUnsendable(path) is { } why) return why;
        var reply = await _control.ExecuteAsync(_control.Command("DELE", path), ct).ConfigureAwait(false);
        return reply.IsSuccess ? null : ReplyErrors.ToException(reply, "DELE", path, writes: false);
    }

    private async ValueTask<RenameReply> RenameAsync(ReplacementStep.Rename rename, CancellationToken ct)
    {
        if ((_control.WhyUnsendable(rename.From) ?? _control.WhyUnsendable(rename.To)) is { } why) return new(RenameAnswer.Denied, why);
        var from = await _control.ExecuteAsync(_control.Command("RNFR", rename.From), ct).ConfigureAwait(false);
        if (!from.IsIntermediate) return Refusal(from, "RNFR", rename.From, RenameAnswer.SourceRefused);
        var to = await _control.ExecuteAsync(_control.Command("RNTO", rename.To), ct).ConfigureAwait(false);
        if (!to.IsSuccess) return Refusal(to, "RNTO", rename.To, RenameAnswer.Refused);
        if (_control.IsKnown || rename.MayBeOneName) return new(RenameAnswer.Done);
        if (!await _lookUp.IsSeenAsync(rename.From, rename.IsDirectory, ct).ConfigureAwait(false)) return new(RenameAnswer.Done);
        return new(RenameAnswer.WithoutEffect, FluentLookUp.WithoutEffect("RNTO", rename.From, "is still there under that name"));
    }

    // Only codes count: texts differ from server to server.
    private static RenameReply Refusal(Reply reply, string verb, string path, RenameAnswer refused)
    {
        var error = ReplyErrors.ToException(reply, verb, path, writes: refused == RenameAnswer.Refused);
        if (reply.Code is 500 or 502 or 504) return new(RenameAnswer.Unsupported, error);
        return new(reply.IsPermanentFailure ? refused : RenameAnswer.Later, error);
    }
}
