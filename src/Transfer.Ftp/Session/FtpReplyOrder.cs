using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Notices when a server mixed up the replies to pipelined commands: a positive reply whose code does not belong to its command
/// (RFC 959 section 5.4, RFC 2428, RFC 3659).
/// </summary>
internal static class FtpReplyOrder
{
    /// <summary>Passes a final reply on.</summary>
    /// <exception cref="TransferConnectionException">It belongs to another command: the session can't be trusted any more.</exception>
    public static FtpReply Check(PendingReply pending, FtpReply reply)
    {
        if (reply.Code >= 400 || Fits(pending.Command.Verb, reply.Code)) return reply;
        throw new TransferConnectionException(TransferError.Protocol, $"The reply to {pending.Command.Verb} has the code {reply.Code}, which belongs to another command.")
        {
            ServerCode = reply.Code,
            IsTransient = true,
        };
    }

    private static bool Fits(string verb, int code) => verb switch
    {
        "EPSV" => code == 229,
        "PASV" => code == 227,
        "SIZE" => code == 213,
        "RNFR" or "REST" => code == 350,
        "STOR" or "APPE" or "RETR" or "MLSD" or "LIST" => code is >= 200 and < 300 and not (213 or 220 or 221 or 227 or 229 or 257),
        "RNTO" or "DELE" => code is >= 200 and < 300 and not (213 or 226 or 227 or 229),
        "MFMT" or "MDTM" or "SITE" => code is >= 200 and < 300 and not (226 or 227 or 229),
        _ => true,
    };
}
