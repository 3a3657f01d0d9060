using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Describes files in front of their transfers.</summary>
internal sealed class FtpEntries
{
    private readonly FtpSessionContext _context;

    public FtpEntries(FtpSessionContext context) => _context = context;

    /// <summary>The commands that describe a file before its download. No directory is expected, so fewer commands do.</summary>
    public IReadOnlyList<FtpCommand> StampCommands(string path) =>
        _context.TakesMlst ? [new FtpCommand("MLST", path)] : [new FtpCommand("SIZE", path), new FtpCommand("MDTM", path)];

    /// <summary>
    /// The commands that describe a file in front of its long download, and behind it: SIZE and MDTM follow links, MLST need not.
    /// </summary>
    public static IReadOnlyList<FtpCommand> LongFileCommands(string path) => [new FtpCommand("SIZE", path), new FtpCommand("MDTM", path)];

    /// <summary>Returns the stamp in the replies to such commands; null unless they hold both length and time.</summary>
    public FileStamp? Stamp(IReadOnlyList<FtpReply> replies)
    {
        var (size, time) = replies.Count > 1
            ? (FtpFileTransfer.Size(replies[0]), FtpTime.OfReply(replies[1]))
            : FtpLookUp.FromMlst(_context, "/", replies[0]) is { } entry ? (entry.Length, entry.Modified) : default;
        return size is { } length && time is { } modified ? new FileStamp(length, modified) : null;
    }
}
