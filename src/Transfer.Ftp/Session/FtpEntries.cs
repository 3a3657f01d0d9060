using Transfer.Ftp.Listing;
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
        _context.Profile.Mlst ? [new FtpCommand("MLST", path)] : [new FtpCommand("SIZE", path), new FtpCommand("MDTM", path)];

    /// <summary>Returns the stamp in the replies to <see cref="StampCommands"/>; null unless they hold both length and time.</summary>
    public FileStamp? Stamp(IReadOnlyList<FtpReply> replies)
    {
        if (!_context.Profile.Mlst)
        {
            return FtpFileTransfer.Size(replies[0]) is { } size && FtpTime.OfReply(replies[1]) is { } time
                ? new FileStamp(size, time) : null;
        }

        foreach (var line in replies[0].IsSuccess ? replies[0].Lines.Skip(1) : [])
        {
            if (MlsxParser.TryParse(line.AsSpan().TrimStart(' '), "/", out var entry, out _))
                return entry is { Length: { } length, Modified: { } modified } ? new FileStamp(length, modified) : null;
        }
        return null;
    }

}
