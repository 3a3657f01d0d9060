using System.Security.Cryptography;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Commands as lines of even length. ProFTPD 1.3.8 takes two commands for one where one of its reads ends between CR and LF. A read has
/// 4,096 bytes, those of some TCP segments, or the rest of a buffer of even size: as all lines before are even, too, it ends behind an
/// even number of bytes, and not there. Further commands with known replies, in between and at the end, show that no reply is missing.
/// </summary>
internal sealed class FtpEvenLines
{
    /// <summary>The most bytes in one write: the loopback interface, whose segments have an odd size, cuts none.</summary>
    public const int LongestWrite = 16 << 10;

    // One is sent behind so many commands, so that the loss of a reply shows soon, and not as a silence at the end.
    private const int Between = 64;
    private const int AtEnd = 8;

    private const int Mark = -1;

    private static readonly FtpCommand Where = new("XPWD");
    private static readonly FtpCommand Nothing = new("NOOP");

    private readonly List<FtpCommand> _commands = [];
    private readonly List<int> _places = []; // in the given commands

    /// <summary>Whether lines stay whole in segments of a size.</summary>
    public static bool Fit(int segmentSize) => segmentSize % 2 == 0 || segmentSize > LongestWrite;

    private FtpEvenLines()
    {
    }

    /// <summary>The commands to send, marks included.</summary>
    public IReadOnlyList<FtpCommand> Commands => _commands;

    /// <summary>Makes lines of even length; null: a command has no such form.</summary>
    /// <param name="commands">The commands.</param>
    /// <param name="bytesOf">Returns the bytes of a command with the line end.</param>
    public static FtpEvenLines? TryMake(IReadOnlyList<FtpCommand> commands, Func<FtpCommand, int> bytesOf)
    {
        var lines = new FtpEvenLines();
        for (var i = 0; i < commands.Count; i++)
        {
            if (Even(commands[i], bytesOf) is not { } even) return null;
            lines.Add(even, i);
            if (i % Between == Between - 1) lines.Add(Where, Mark);
        }
        // In an order of chance, so that a shift by any number shows.
        foreach (var mark in RandomNumberGenerator.GetItems<FtpCommand>([Where, Nothing], AtEnd)) lines.Add(mark, Mark);
        return lines;
    }

    /// <summary>Returns whether a reply is, at a mark, that mark's. Other replies are not judged.</summary>
    /// <param name="index">The index among <see cref="Commands"/>.</param>
    /// <param name="reply">The reply.</param>
    public bool Fits(int index, FtpReply reply) =>
        _places[index] != Mark || reply.Code == (_commands[index].Is(Where.Verb) ? 257 : 200);

    /// <summary>Returns the replies to the given commands.</summary>
    /// <param name="replies">The replies to <see cref="Commands"/>.</param>
    public IReadOnlyList<FtpReply> WithoutMarks(IReadOnlyList<FtpReply> replies) =>
        [.. replies.Where((_, i) => _places[i] != Mark)];

    private void Add(FtpCommand command, int place)
    {
        _commands.Add(command);
        _places.Add(place);
    }

    // Two of these that are taken for one name no entry. MKD would make one, and RNTO give a file that name.
    private static bool IsHarmless(FtpCommand command) =>
        IsOfPath(command) || command.Verb is "MFMT" or "NOOP" or "PWD" or "SITE" or "XPWD";

    // A second slash in a path says nothing more (POSIX.1-2017 section 4.13), nor do a dot and two slashes in front of a name.
    private static FtpCommand? Even(FtpCommand command, Func<FtpCommand, int> bytesOf)
    {
        if (!IsHarmless(command)) return null;
        if (bytesOf(command) % 2 == 0) return command;
        if (command.Argument is not { } argument) return command.Is("PWD") ? Where : null;
        var slash = argument.LastIndexOf('/');
        if (slash >= 0) return command with { Argument = argument.Insert(slash, "/") };
        return IsOfPath(command) ? command with { Argument = ".//" + argument } : null;
    }

    private static bool IsOfPath(FtpCommand command) => command.Verb is "CWD" or "DELE" or "MDTM" or "MLST" or "RMD" or "SIZE" or "STAT";
}
