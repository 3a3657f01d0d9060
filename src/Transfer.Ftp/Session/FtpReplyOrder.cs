using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Notices when a server mixed up or lost pipelined commands: a positive reply whose code does not belong to its command, or a command that it has and does not know in a batch.
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
    public static TransferConnectionException? Misplaced(FtpCommand command, FtpReply reply) => !ReplyCodes.Fit(command, reply)
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
}
