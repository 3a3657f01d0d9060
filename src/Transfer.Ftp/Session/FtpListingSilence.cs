using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Breaks a session in which the command of a listing is not answered, although its data connection is open: some servers announce MLSD
/// and never answer that, others read one command a segment. Each rung is left after one silence.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="command">The command, which was sent.</param>
/// <param name="isEarly">Whether the command was sent in one write with the announcement of its data connection.</param>
/// <param name="path">The directory, for errors.</param>
/// <param name="hasBytes">Whether a part of the listing has come: some servers do not announce its beginning.</param>
internal sealed class FtpListingSilence(
    FtpSessionContext context, PendingReply command, bool isEarly, string path, Func<bool> hasBytes)
{
    /// <summary>Whether silence would be a reason to leave a rung, since the command has not worked at this host yet.</summary>
    public static bool Suspects(FtpSessionContext context, FtpCommand command, bool isEarly) =>
        IsUntried(context, command)
        || (isEarly && command.Verb is "LIST" or "NLST" or "MLSD" && !context.Host.TakesPairs
            && context.Profile.Flavor == FtpFlavor.Unknown && context.Ladders.Commands.IsOnFirst);

    /// <summary>Waits for the first reply, and breaks the session where none comes.</summary>
    public async Task BreakAsync()
    {
        var silence = FtpSilence.Of(context.Control.RoundTrip, context.Options.IdleTimeout);
        using var stop = new CancellationTokenSource();
        var first = Task.WhenAny(command.FirstAsync(CancellationToken.None).AsTask());
        var ended = await Task.WhenAny(first, Task.Delay(silence, context.Options.TimeProvider, stop.Token)).ConfigureAwait(false);
        await stop.CancelAsync().ConfigureAwait(false);
        if (ended == first || hasBytes()) return;
        var fault = new TransferConnectionException(TransferError.Timeout,
            $"The server did not answer {command.Command.Verb} within {silence.TotalSeconds:0.###} s.")
        {
            RemotePath = path,
            IsTransient = true,
        };
        if (IsUntried(context, command.Command)) context.IsUnanswered = true;
        else if (isEarly) context.DisablePipelining(fault.Message, mayPass: true);
        context.Control.Break(fault);
    }

    private static bool IsUntried(FtpSessionContext context, FtpCommand command) => command.Is("MLSD") && !context.Host.ListsByMlsd;
}
