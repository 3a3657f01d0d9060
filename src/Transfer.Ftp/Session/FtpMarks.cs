using System.Security.Cryptography;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Commands at the end of a flight that have one of two known replies, in an order of chance: a reply too many or too few in front of
/// them shows, by whatever number they are shifted.
/// </summary>
internal static class FtpMarks
{
    private static readonly FtpCommand Nothing = new("NOOP");

    /// <summary>Returns marks.</summary>
    /// <param name="where">The command of the other kind: PWD or XPWD.</param>
    /// <param name="count">The number of marks.</param>
    public static FtpCommand[] Of(FtpCommand where, int count) => RandomNumberGenerator.GetItems<FtpCommand>([Nothing, where], count);

    /// <summary>Returns whether a reply is the mark's.</summary>
    public static bool Fits(FtpCommand mark, FtpReply reply) => reply.Code == (mark.Is(Nothing.Verb) ? 200 : 257);
}
