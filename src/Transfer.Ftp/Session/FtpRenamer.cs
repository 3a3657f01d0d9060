using Transfer.Ftp.Protocol;
using Transfer.Replacing;

namespace Transfer.Ftp.Session;

/// <summary>
/// The steps of a replacement in FTP: RNFR and RNTO (RFC 959 section 4.1.3), DELE, and the looks of <see cref="FtpLookUp"/>.
/// </summary>
/// <remarks>
/// Some servers answer RNTO with 250 and rename nothing. So at servers that are not known by name a look at the old name rides behind each
/// rename. Only the old name counts: a hot folder may take the new one away at once.
/// </remarks>
internal sealed class FtpRenamer : IRenamer
{
    // In a folder of anybody's no entry has such an end.
    private const string Absent = ".transfer-2f8c61d3a5e94b07";

    private readonly FtpSessionContext _context;
    private readonly FtpLookUp _lookUp;

    public FtpRenamer(FtpSessionContext context, FtpLookUp lookUp)
    {
        _context = context;
        _lookUp = lookUp;
    }

    /// <summary>Returns the commands of a rename.</summary>
    public IEnumerable<FtpCommand> Commands(ReplacementStep.Rename rename)
    {
        var from = _context.Expand(rename.From);
        yield return new("RNFR", from);
        yield return new("RNTO", _context.Expand(rename.To));
        if (!ChecksEffect(rename)) yield break;
        if (rename.IsDirectory)
        {
            if (_context.Host.Describes.FoldersByMlst) yield return new("MLST", from);
            // Some servers enter any name.
            else foreach (var path in new[] { from, from + Absent }) yield return new("CWD", path);
            yield break;
        }
        // MLST may describe folders alone.
        if (_context.Host.Describes is { ByMlst: true } or { FilesByMlst: true }) yield return new("MLST", from);
        if (!_context.Host.Describes.FilesByMlst) yield return new("SIZE", from);
    }

    /// <summary>Returns the command of a deletion.</summary>
    public FtpCommand Command(ReplacementStep.Delete delete) => new("DELE", _context.Expand(delete.Path));

    public async ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken ct)
    {
        if (_context.Host.RenameReplies.AreNotToCome) return [.. renames.Select(Unanswered)];
        FtpCommand[] commands = [.. renames.SelectMany(Commands)];
        try
        {
            return Replies(renames, commands, await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false));
        }
        catch (TransferConnectionException fault)
        {
            _context.NoteUnansweredRename(isFirst: false, fault);
            throw;
        }
    }

    /// <summary>Judges the replies to the commands of several renames.</summary>
    /// <param name="renames">The renames.</param>
    /// <param name="commands">The commands that were sent: those of <see cref="Commands"/>, in order.</param>
    /// <param name="replies">One reply a command.</param>
    /// <exception cref="TransferConnectionException">The server closes the session (421).</exception>
    public IReadOnlyList<RenameReply> Replies(
        IReadOnlyList<ReplacementStep.Rename> renames, IReadOnlyList<FtpCommand> commands, IReadOnlyList<FtpReply> replies)
    {
        _context.Host.RenameReplies.Came = true;
        var judged = new List<RenameReply>(renames.Count);
        var next = 0;
        foreach (var rename in renames)
        {
            var (from, to) = (replies[next], replies[next + 1]);
            next += 2;
            var reply = Reply(rename, from, to);
            for (; next < commands.Count && !commands[next].Is("RNFR"); next++)
            {
                if (reply.IsDone && IsThere(commands, replies, next)) reply = WithoutEffect(rename, to);
            }
            judged.Add(reply);
        }
        return judged;
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

    // As if refused.
    private static RenameReply Unanswered(ReplacementStep.Rename rename) => new(RenameAnswer.Unsupported,
        new TransferException(TransferError.Unsupported, "The server does not answer RNFR.") { RemotePath = rename.From });

    private bool ChecksEffect(ReplacementStep.Rename rename) =>
        _context.Profile.Flavor == FtpFlavor.Unknown && !rename.MayBeOneName;

    private bool IsThere(IReadOnlyList<FtpCommand> looks, IReadOnlyList<FtpReply> replies, int at) => looks[at].Verb switch
    {
        "MLST" => FtpLookUp.FromMlst(_context, looks[at].Argument!, replies[at]) is not null,
        "CWD" => replies[at].IsSuccess && at + 1 < looks.Count && looks[at + 1].Is("CWD") && replies[at + 1].IsPermanentFailure,
        _ => FtpFileTransfer.Size(replies[at]) is not null,
    };

    private RenameReply WithoutEffect(ReplacementStep.Rename rename, FtpReply to)
    {
        var command = new FtpCommand("RNTO", _context.Expand(rename.To));
        return new(RenameAnswer.WithoutEffect,
            new TransferException(TransferError.Unsupported, $"{command}: {to}, but {rename.From} is still there under that name.")
            {
                RemotePath = rename.To,
                ServerCode = to.Code,
            });
    }

    // Only codes count: texts differ from server to server.
    private RenameReply Reply(ReplacementStep.Rename rename, FtpReply from, FtpReply to)
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
