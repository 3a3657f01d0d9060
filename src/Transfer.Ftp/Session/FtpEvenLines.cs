using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Commands as lines of even length. ProFTPD 1.3.8 takes two commands for one where one of its reads ends between CR and LF. A read has
/// 4,096 bytes, those of some TCP segments, or the rest of a buffer of even size: as all lines before are even, too, it ends behind an
/// even number of bytes, and not there. Marks in between and at the end show that no reply is missing.
/// </summary>
internal sealed class FtpEvenLines
{
    /// <summary>The most bytes in one write: the loopback interface, whose segments have an odd size, cuts none.</summary>
    public const int LongestWrite = 16 << 10;

    // One is sent behind so many commands, so that the loss of a reply shows soon, and not as a silence at the end.
    private const int Between = 64;
    private const int AtEnd = 8;

    // Both kinds of marks, XPWD and NOOP.
    private const int MarkBytes = 6;

    private static readonly FtpCommand Where = new("XPWD");

    private readonly List<FtpCommand> _commands = [];
    private readonly List<int> _bytes = [];
    private readonly List<bool> _isMark = [];

    private FtpEvenLines()
    {
    }

    /// <summary>The commands to send, marks included.</summary>
    public IReadOnlyList<FtpCommand> Commands => _commands;

    /// <summary>The bytes of each of <see cref="Commands"/>, with the line end.</summary>
    public IReadOnlyList<int> Bytes => _bytes;

    /// <summary>Whether lines stay whole in segments of a size.</summary>
    public static bool Fit(int segmentSize) => segmentSize % 2 == 0 || segmentSize > LongestWrite;

    /// <summary>Makes lines of even length; null: a command has no such form.</summary>
    /// <param name="commands">The commands.</param>
    /// <param name="bytes">The bytes of each command, with the line end.</param>
    public static FtpEvenLines? TryMake(IReadOnlyList<FtpCommand> commands, IReadOnlyList<int> bytes)
    {
        var lines = new FtpEvenLines();
        for (var i = 0; i < commands.Count; i++)
        {
            if (Even(commands[i], bytes[i]) is not (var command, var length)) return null;
            lines.Add(command, length);
            if (i % Between == Between - 1) lines.Add(Where, MarkBytes, isMark: true);
        }
        foreach (var mark in FtpMarks.Of(Where, AtEnd)) lines.Add(mark, MarkBytes, isMark: true);
        return lines;
    }

    /// <summary>Returns whether a reply is, at a mark, that mark's. Other replies are not judged.</summary>
    /// <param name="index">The index among <see cref="Commands"/>.</param>
    /// <param name="reply">The reply.</param>
    public bool Fits(int index, FtpReply reply) => !_isMark[index] || FtpMarks.Fits(_commands[index], reply);

    /// <summary>Returns the replies to the given commands.</summary>
    /// <param name="replies">The replies to <see cref="Commands"/>.</param>
    public IReadOnlyList<FtpReply> WithoutMarks(IReadOnlyList<FtpReply> replies) => [.. replies.Where((_, i) => !_isMark[i])];

    private void Add(FtpCommand command, int bytes, bool isMark = false)
    {
        _commands.Add(command);
        _bytes.Add(bytes);
        _isMark.Add(isMark);
    }

    // Two of these that are taken for one name no entry. MKD would make one, and RNTO give a file that name.
    private static bool IsHarmless(FtpCommand command) =>
        IsOfPath(command) || command.Verb is "MFMT" or "NOOP" or "PWD" or "SITE" or "XPWD";

    // A second slash in a path says nothing more (POSIX.1-2017 section 4.13), nor do a dot and two slashes in front of a name. All of these
    // have one byte in every encoding of names.
    private static (FtpCommand Command, int Bytes)? Even(FtpCommand command, int bytes)
    {
        if (!IsHarmless(command)) return null;
        if (bytes % 2 == 0) return (command, bytes);
        if (command.Argument is not { } argument) return command.Is("PWD") ? (Where, MarkBytes) : null;
        var slash = argument.LastIndexOf('/');
        if (slash >= 0) return (command with { Argument = argument.Insert(slash, "/") }, bytes + 1);
        return IsOfPath(command) ? (command with { Argument = ".//" + argument }, bytes + 3) : null;
    }

    private static bool IsOfPath(FtpCommand command) => command.Verb is "CWD" or "DELE" or "MDTM" or "MLST" or "RMD" or "SIZE" or "STAT";
}
