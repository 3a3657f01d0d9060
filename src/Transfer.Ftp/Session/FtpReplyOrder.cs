using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Detects that a server mixed up or lost pipelined commands: a positive reply has a code that does not belong to its command, or a command
/// that the server has is unknown in a batch.
/// </summary>
internal static class FtpReplyOrder
{
    /// <summary>Waits for a final reply.</summary>
    /// <exception cref="TransferConnectionException">
    /// The reply belongs to another command: the session can't be trusted any more.
    /// </exception>
    public static async ValueTask<FtpReply> TakeAsync(FtpSessionContext context, PendingReply pending, CancellationToken ct)
    {
        var reply = await pending.GetFinalReplyAsync(ct).ConfigureAwait(false);
        return (FindMisplacedReply(pending.Command, reply) ?? FindLostCommand(context, pending.Command, reply)) is { } mixed
            ? throw mixed : reply;
    }

    /// <summary>Waits for the final replies to several commands.</summary>
    /// <exception cref="TransferConnectionException">
    /// A reply belongs to another command: the session can't be trusted any more.
    /// </exception>
    public static async ValueTask<List<FtpReply>> TakeAllAsync(
        FtpSessionContext context, IReadOnlyCollection<PendingReply> pending, CancellationToken ct)
    {
        var replies = new List<FtpReply>(pending.Count);
        foreach (var one in pending) replies.Add(await TakeAsync(context, one, ct).ConfigureAwait(false));
        return replies;
    }

    /// <summary>Returns an error if a positive reply belongs to another command; else null.</summary>
    public static TransferConnectionException? FindMisplacedReply(FtpCommand command, FtpReply reply) => !ReplyCodes.Fit(command, reply)
        ? Mixed($"The reply to {command.Verb} has the code {reply.Code}, which belongs to another command.", reply)
        : null;

    /// <summary>
    /// Returns an error if a command that the server has is unknown in a batch, else null: Pure-FTPd replies 500 when a part of a command
    /// was lost. Only recognised servers, which have these commands, get batches.
    /// </summary>
    public static TransferConnectionException? FindLostCommand(FtpSessionContext context, FtpCommand command, FtpReply reply) =>
        reply.Code is 500 or 502 && context.Pipelining == FtpPipelining.Batched
        && command.Verb is "STOR" or "RETR" or "SIZE" or "RNFR" or "RNTO"
            ? Mixed($"The server did not understand {command.Verb} in a batch ({reply.Code}).", reply)
            : null;

    private static TransferConnectionException Mixed(string message, FtpReply reply) =>
        new(TransferError.Protocol, message) { ServerCode = reply.Code, IsTransient = true };
}
