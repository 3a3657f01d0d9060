using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Modes;

namespace Transfer.Ftp.Session;

/// <summary>
/// The permissions of an upload that may replace a file: the old file's are read beside other requests (<c>UNIX.mode</c> of MLST, RFC 3659
/// section 7, or the line in the reply to STAT, RFC 959 section 4.1.3) and set on the new file (<c>SITE CHMOD</c>) before the rename.
/// The server chooses a new file's: FTP cannot request permissions as a file is created.
/// </summary>
internal sealed class FtpFileMode
{
    private readonly FtpSessionContext _context;
    private readonly string _path;
    private readonly string? _folder;
    private readonly RemoteEntry? _alike; // what is known of new files in that folder
    private bool _isCommandSent;

    /// <param name="context">The session.</param>
    /// <param name="path">The path under which the new file is written, in the server's form.</param>
    /// <param name="replaced">The path of the file that may be replaced, in the server's form.</param>
    public FtpFileMode(FtpSessionContext context, string path, string replaced)
    {
        _context = context;
        _path = path;
        _folder = RemotePath.GetParent(replaced);
        if (context.LastCreated is { } known && RemotePath.GetParent(known.Path) == RemotePath.GetParent(path)) _alike = known;
        var verb = context.TakesMlst ? "MLST" : "STAT";
        // vsftpd takes such names for patterns.
        var isPattern = !context.TakesMlst && replaced.AsSpan().ContainsAny("*?{[");
        // vsftpd reads a whole directory for a STAT of one name: 10,000 new files in one directory took a minute of processor time there.
        // SIZE costs one call.
        var isBySize = verb == "STAT" && _alike is not null && context.HasSizes && context.Host.NewNames.Expects(_folder);
        LookCommands = isPattern ? []
            : isBySize ? [new FtpCommand("SIZE", replaced)]
            : _alike is null ? [new FtpCommand(verb, replaced), new FtpCommand(verb, path)]
            : [new FtpCommand(verb, replaced)];
    }

    /// <summary>
    /// The commands that look at both files, or find whether there is one to be replaced; of the commands in front, they depend only on
    /// the content.
    /// </summary>
    public IReadOnlyList<FtpCommand> LookCommands { get; private set; }

    /// <summary>Whether a file is replaced that is still to be looked at, by <see cref="LookCommands"/>.</summary>
    public bool MustLook { get; private set; }

    /// <summary>The command that sets the new file's permissions; null: none is needed, or the command was sent.</summary>
    public FtpCommand? Command { get; private set; }

    /// <summary>Whether a replaced entry loses its permissions.</summary>
    public bool LosesReplacedMode { get; private set; }

    /// <summary>Takes the replies to <see cref="LookCommands"/>.</summary>
    public void Take(IReadOnlyList<FtpReply> replies)
    {
        if (replies.Count == 0) return;
        if (LookCommands[0].Is("SIZE"))
        {
            MustLook = FtpFileTransfer.Size(replies[0]) is not null;
            _context.Host.NewNames.Note(_folder, isNew: !MustLook);
            LookCommands = [new FtpCommand("STAT", LookCommands[0].Argument)];
            return;
        }
        MustLook = false;
        var own = _alike ?? Read(LookCommands[1], replies[1]);
        _context.LastCreated = own ?? _context.LastCreated;
        var replaced = Read(LookCommands[0], replies[0]);
        _context.Host.NewNames.Note(_folder, isNew: replaced is null);
        if (replaced is not { } there || there.Type == RemoteEntryType.Directory) return;
        if (there is not { Type: RemoteEntryType.File, Mode: { } mode })
        {
            LosesReplacedMode = true;
            return;
        }
        var wanted = FinalMode.Decide(null, new ReplacedFile(mode, there.Group is { } group && group == own?.Group), null,
            null).GetValueOrDefault();
        if (own?.Mode == wanted) return;
        LosesReplacedMode = !_context.Ladders.SiteChmod.IsOnFirst;
        if (!LosesReplacedMode) Command = FtpAttributes.ChangeMode(_path, wanted);
    }

    /// <summary>Notes that the <see cref="Command"/> is about to be sent.</summary>
    public void MarkSent()
    {
        _isCommandSent = Command is not null;
        Command = null;
    }

    /// <summary>Takes the reply to the command. False: the command was not sent.</summary>
    public bool TryTake(FtpAttributes attributes, FtpCommand command, FtpReply reply)
    {
        if (!_isCommandSent) return false;
        _isCommandSent = false;
        attributes.Check(command, reply);
        LosesReplacedMode = !reply.IsDone;
        return true;
    }

    private RemoteEntry? Read(FtpCommand look, FtpReply reply)
    {
        if (look.Is("MLST")) return FtpLookUp.FromMlst(_context, look.Argument!, reply);
        // The first and the last line are the reply's frame.
        foreach (var line in reply.IsSuccess ? reply.Lines.Skip(1).Take(Math.Max(0, reply.Lines.Count - 2)) : [])
        {
            var clock = new ListingContext { Now = _context.Options.TimeProvider.GetUtcNow(), Offset = _context.Options.ListingOffset };
            // A directory shows the lines of its entries, after a total or its own dot.
            if (UnixFormat.TryParse(line.AsSpan().TrimStart(' '), clock, out var listed))
                return IsNameOf(look.Argument!, listed.Name) ? listed.ToEntry(look.Argument!) : null;
        }
        return null;
    }

    private static bool IsNameOf(string path, ReadOnlySpan<char> name) =>
        name.SequenceEqual(path) || name[(name.LastIndexOf('/') + 1)..].SequenceEqual(RemotePath.GetName(path));
}
