using Transfer.Ftp.Protocol;
using Transfer.Replacing;

namespace Transfer.Ftp.Session;

/// <summary>
/// The steps of a replacement in FTP: RNFR and RNTO (RFC 959 section 4.1.3), DELE, and the looks of <see cref="FtpLookUp"/>.
/// </summary>
internal sealed class FtpRenamer : IRenamer
{
    private readonly FtpSessionContext _context;
    private readonly FtpLookUp _lookUp;

    public FtpRenamer(FtpSessionContext context, FtpLookUp lookUp)
    {
        _context = context;
        _lookUp = lookUp;
    }

    /// <summary>Returns the commands of a rename.</summary>
    public IEnumerable<FtpCommand> Commands(ReplacementStep.Rename rename) =>
        [new("RNFR", _context.Expand(rename.From)), new("RNTO", _context.Expand(rename.To))];

    /// <summary>Returns the command of a deletion.</summary>
    public FtpCommand Command(ReplacementStep.Delete delete) => new("DELE", _context.Expand(delete.Path));

    public async ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken ct)
    {
        var replies = await _context.ExecuteAllAsync([.. renames.SelectMany(Commands)], ct).ConfigureAwait(false);
        return [.. renames.Select((rename, i) => Reply(rename, replies[2 * i], replies[(2 * i) + 1]))];
    }

    public async ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var outcomes = await _lookUp.GetAllAsync(paths, ct).ConfigureAwait(false);
        foreach (var outcome in outcomes)
        {
            if (outcome.Error is { } error) Log.NotSeen(_context.Logger, error.Message);
        }
        return [.. outcomes.Select(NameSight.Of)];
    }

    public async ValueTask<TransferException?> DeleteAsync(string path, CancellationToken ct)
    {
        var command = Command(new ReplacementStep.Delete(path));
        return Refusal(command, await _context.Control.ExecuteAsync(command, ct).ConfigureAwait(false), path);
    }

    /// <summary>Why a file was not deleted; null: deleted. 550 most likely means that the file does not exist.</summary>
    /// <exception cref="TransferConnectionException">The server closes the session (421).</exception>
    public static TransferException? Refusal(FtpCommand command, FtpReply reply, string path) =>
        reply.IsDone ? null : Thrown(ReplyErrors.ToException(reply, command, path, writes: false));

    /// <summary>Judges the replies to RNFR and RNTO together. Only codes count: texts differ from server to server.</summary>
    /// <exception cref="TransferConnectionException">The server closes the session (421).</exception>
    public RenameReply Reply(ReplacementStep.Rename rename, FtpReply from, FtpReply to)
    {
        if (!from.IsIntermediate)
            return Reply(from, new FtpCommand("RNFR", _context.Expand(rename.From)), rename.From, RenameAnswer.SourceRefused);
        return to.IsDone
            ? new(RenameAnswer.Done) : Reply(to, new FtpCommand("RNTO", _context.Expand(rename.To)), rename.To, RenameAnswer.Refused);
    }

    private static RenameReply Reply(FtpReply reply, FtpCommand command, string path, RenameAnswer refused)
    {
        var error = Thrown(ReplyErrors.ToException(reply, command, path, writes: refused == RenameAnswer.Refused));
        return new(
            reply.Code is 202 or 500 or 502 or 504 ? RenameAnswer.Unsupported : reply.IsPermanentFailure ? refused : RenameAnswer.Later,
            error);
    }

    private static TransferException Thrown(TransferException error) => error is TransferConnectionException lost ? throw lost : error;
}
