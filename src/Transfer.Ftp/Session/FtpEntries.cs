using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Describes files in front of their transfers.</summary>
internal sealed class FtpEntries
{
    private readonly FtpSessionContext _context;

    public FtpEntries(FtpSessionContext context) => _context = context;

    /// <summary>What describes a file that is about to be read; no directory, so that there is less to ask.</summary>
    public IReadOnlyList<FtpCommand> StampCommands(string path) =>
        _context.Profile.Mlst ? [new FtpCommand("MLST", path)] : [new FtpCommand("SIZE", path), new FtpCommand("MDTM", path)];

    /// <summary>What the replies to <see cref="StampCommands"/> say of the file; null unless that is its length and its time.</summary>
    public FileStamp? Stamp(IReadOnlyList<FtpReply> replies)
    {
        if (!_context.Profile.Mlst)
            return FtpFileTransfer.Size(replies[0]) is { } size && FtpTime.OfReply(replies[1]) is { } time ? new FileStamp(size, time) : null;
        foreach (var line in replies[0].IsSuccess ? replies[0].Lines.Skip(1) : [])
        {
            if (MlsxParser.TryParse(line.AsSpan().TrimStart(' '), "/", out var entry, out _))
                return entry is { Length: { } length, Modified: { } modified } ? new FileStamp(length, modified) : null;
        }
        return null;
    }

}
