using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Notices when a server mixed up or lost pipelined commands: a positive reply whose code does not belong to its command (RFC 959
/// section 5.4, RFC 2428, RFC 3659), or a command that it has and does not know in a batch.
/// </summary>
internal static class FtpReplyOrder
{
    /// <summary>Waits for a final reply.</summary>
    /// <exception cref="TransferConnectionException">It belongs to another command: the session can't be trusted any more.</exception>
    public static async ValueTask<FtpReply> TakeAsync(FtpSessionContext context, PendingReply pending, CancellationToken ct)
    {
        var reply = await pending.FinalAsync(ct).ConfigureAwait(false);
        return (Misplaced(pending.Command, reply) ?? Lost(context, pending.Command, reply)) is { } mixed ? throw mixed : reply;
    }

    /// <summary>A positive reply that belongs to another command. Null: it is this one's.</summary>
    public static TransferConnectionException? Misplaced(FtpCommand command, FtpReply reply) => reply.Code < 400 && !Fits(command.Verb, reply.Code)
        ? Mixed($"The reply to {command.Verb} has the code {reply.Code}, which belongs to another command.", reply)
        : null;

    /// <summary>
    /// A command that the server has, and does not know in a batch: Pure-FTPd answers with 500 when part of one was lost. Only servers that are
    /// known, and have these commands, get batches. Null: it is a reply like others.
    /// </summary>
    public static TransferConnectionException? Lost(FtpSessionContext context, FtpCommand command, FtpReply reply) =>
        reply.Code is 500 or 502 && context.Pipelining == FtpPipelining.Batched && command.Verb is "STOR" or "RETR" or "SIZE" or "RNFR" or "RNTO"
            ? Mixed($"The server did not understand {command.Verb} in a batch ({reply.Code}).", reply)
            : null;

    private static TransferConnectionException Mixed(string message, FtpReply reply) =>
        new(TransferError.Protocol, message) { ServerCode = reply.Code, IsTransient = true };

    private static bool Fits(string verb, int code) => verb switch
    {
        "SYST" => code == 215,
        "FEAT" => code == 211,
        "PWD" => code == 257,
        "EPSV" => code == 229,
        "PASV" => code == 227,
        "SIZE" => code == 213,
        "RNFR" or "REST" or "RANG" => code == 350,
        "STOR" or "APPE" or "RETR" or "MLSD" or "LIST" => code is >= 200 and < 300 and not (213 or 220 or 221 or 227 or 229 or 257),
        "RNTO" or "DELE" => code is >= 200 and < 300 and not (213 or 226 or 227 or 229),
        "MFMT" or "MDTM" or "SITE" => code is >= 200 and < 300 and not (226 or 227 or 229),
        _ => true,
    };
}
