using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// The replies to a log-in, first of all to one in one write, at a server that may not take one. Silence has two reasons: the server has
/// thrown commands away, which then are sent one by one over another connection, or takes its time over the password, which sent twice
/// would count as two wrong ones. QUIT tells them apart: without a password under way the reply is 221, and else comes behind that to the
/// password.
/// </summary>
/// <param name="host">The host, for errors.</param>
/// <param name="control">The control connection.</param>
/// <param name="options">The client's options.</param>
internal sealed class FtpLogInReplies(string host, ControlConnection control, FtpOptions options)
{
    private readonly TimeSpan _silence = FtpSilence.Of(control.RoundTrip, Shorter(options.LogInTimeout, options.IdleTimeout));
    private int? _before; // the code of the latest reply
    private bool _isEnding; // QUIT was sent

    /// <summary>Returns the reply to the next command of the log-in.</summary>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Timeout"/>: no reply came. With a <see cref="TransferException.ServerCode"/>, that of the latest reply, the
    /// server may still be checking the password. Else the connection's error.
    /// </exception>
    public async ValueTask<FtpReply> ReadAsync(PendingReply pending, CancellationToken ct)
    {
        var reply = _isEnding ? await AfterQuitAsync(pending, ct).ConfigureAwait(false)
            : await WithinSilenceAsync(pending, ct).ConfigureAwait(false);
        if (reply is null && !_isEnding && IsCredential(pending.Command))
        {
            _isEnding = true;
            await control.SendAsync([new FtpCommand("QUIT")], ct).ConfigureAwait(false);
            reply = await AfterQuitAsync(pending, ct).ConfigureAwait(false);
        }
        // Behind QUIT no session is left, and the password was right.
        if (reply is not { Code: not 221 } || (_isEnding && pending.Command.Is("PASS") && reply.IsSuccess)) throw Silent(pending);
        _before = reply.Code;
        return reply;
    }

    /// <summary>Returns the reply to a command that the log-in can do without, sent alone.</summary>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Timeout"/>: no reply came. Else the connection's error.
    /// </exception>
    public async ValueTask<FtpReply> ReadOptionalAsync(PendingReply pending, CancellationToken ct) =>
        await WithinSilenceAsync(pending, ct).ConfigureAwait(false) ?? throw Silent(pending);

    private async ValueTask<FtpReply?> AfterQuitAsync(PendingReply pending, CancellationToken ct)
    {
        // Nothing has come at all: the commands are perhaps lost on the way.
        if (_before is not { } before) return await WithinSilenceAsync(pending, ct).ConfigureAwait(false);
        try
        {
            return await pending.GetFinalReplyAsync(ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Timeout)
        {
            throw new TransferConnectionException(e.Error, $"{host} did not answer {pending.Command.Verb}.", e) { ServerCode = before };
        }
    }

    private async ValueTask<FtpReply?> WithinSilenceAsync(PendingReply pending, CancellationToken ct)
    {
        try
        {
            return await pending.GetFinalReplyAsync(ct).AsTask().WaitAsync(_silence, options.TimeProvider, ct).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The reply may have come just at the end of the wait.
            return pending.IsCompleted ? await pending.GetFinalReplyAsync(ct).ConfigureAwait(false) : null;
        }
    }

    private TransferConnectionException Silent(PendingReply pending) =>
        new(TransferError.Timeout, $"{host} did not answer {pending.Command.Verb} within {_silence.TotalSeconds:0.###} s.");

    private static bool IsCredential(FtpCommand command) =>
        command.Is("HOST") || command.Is("USER") || command.Is("PASS") || command.Is("ACCT");

    // Zero or less is no limit.
    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) =>
        one <= TimeSpan.Zero ? other : other <= TimeSpan.Zero || one < other ? one : other;
}
