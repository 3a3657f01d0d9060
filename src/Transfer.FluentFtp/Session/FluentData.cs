using System.Net.Sockets;
using System.Runtime.CompilerServices;
using FluentFTP;
using FluentFTP.Exceptions;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// One data connection, from the command to the final reply (RFC 959 section 3.2), which alone makes the transfer a success.
/// </summary>
internal sealed class FluentData : IAsyncDisposable
{
    private readonly FluentControl _control;
    private readonly FtpDataStream _stream;
    private readonly string _verb;
    private readonly string _path;
    private bool _isFinished;

    private FluentData(FluentControl control, FtpDataStream stream, string verb, string path)
    {
        _control = control;
        _stream = stream;
        _verb = verb;
        _path = path;
        // The command was answered at once by a final reply, the only one.
        _isFinished = stream.CommandStatus.Type == FtpResponseType.PositiveCompletion;
    }

    private bool Writes => _verb == "STOR";

    /// <summary>Sends a command that moves data.</summary>
    /// <param name="control">The session.</param>
    /// <param name="verb">RETR, STOR, MLSD or LIST.</param>
    /// <param name="argument">The argument; null: none.</param>
    /// <param name="path">The path concerned, for errors.</param>
    /// <param name="offset">RETR: the first byte (REST, RFC 3659 section 5).</param>
    /// <param name="ct">Cancels, at the price of the session.</param>
    /// <exception cref="TransferException">The command was refused.</exception>
    public static async ValueTask<FluentData> OpenAsync(
        FluentControl control, string verb, string? argument, string path, long offset, CancellationToken ct)
    {
        var command = argument is null ? verb : $"{verb} {argument}";
        try
        {
            var client = control.Client;
            var stream = await control.RunAsync(token => OpenDataStreamAsync(client, command, offset, token), ct).ConfigureAwait(false);
            return new FluentData(control, stream, verb, path);
        }
        catch (FtpCommandException e)
        {
            // The refused command may be EPSV or REST.
            var refused = control.Client.LastReply.Command is { Length: > 0 } sent ? sent.Split(' ')[0] : verb;
            throw ReplyErrors.ToException(Refusal(e), refused, path, verb == "STOR" && refused == verb);
        }
    }

    /// <summary>Reads; 0 at the end of the data, which proves nothing yet.</summary>
    public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken ct)
    {
        try
        {
            return await _control.RunAsync(token => _stream.ReadAsync(buffer, token).AsTask(), ct).ConfigureAwait(false);
        }
        catch (FtpCommandException e)
        {
            // FluentFTP reads the final reply itself where the data connection fails.
            _isFinished = true;
            throw ReplyErrors.ToException(Refusal(e), _verb, _path, Writes);
        }
    }

    /// <summary>Writes.</summary>
    public async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken ct)
    {
        var fault = await _control.RunAsync(async token =>
            await TryWriteAsync(bytes, token).ConfigureAwait(false), ct).ConfigureAwait(false);
        if (fault is null) return;
        // The server closed the connection: the final reply gives the reason.
        await FinishAsync(ct).ConfigureAwait(false);
        throw _control.Lost(fault);
    }

    /// <summary>Closes the connection, which ends written data, and reads the final reply.</summary>
    /// <returns>The reply, a success.</returns>
    /// <exception cref="TransferException">The server refused in the end.</exception>
    /// <exception cref="TransferConnectionException">There was no reply.</exception>
    public async ValueTask<Reply> FinishAsync(CancellationToken ct)
    {
        var reply = await CloseAsync(ct).ConfigureAwait(false);
        if (reply.IsSuccess) return reply;
        throw ReplyErrors.ToException(reply, _verb, _path, Writes);
    }

    /// <summary>Closes a connection early: a refusal is then the expected reply.</summary>
    public async ValueTask<Reply> CloseAsync(CancellationToken ct)
    {
        try
        {
            await _control.RunAsync(async token =>
            {
                // The end of TLS (close_notify) is written by a call that blocks and takes no token: a server that reads nothing would
                // hold it for ever.
                await using var abort = token.UnsafeRegister(static data => ((FluentData)data!).Abort(), this).ConfigureAwait(false);
                await _stream.CloseAsync(token).ConfigureAwait(false);
                return true;
            }, ct).ConfigureAwait(false);
        }
        catch (FtpCommandException e)
        {
            _isFinished = true;
            return Refusal(e);
        }
        // FluentFTP reports no error after a vain wait for the reply, nor when the control connection is gone: then the last reply is a
        // preliminary one.
        var reply = Reply.Of(_control.Client.LastReply);
        if (!reply.IsSuccess) throw _control.Lost(new TimeoutException($"{_verb}: no final reply came."));
        _isFinished = true;
        return reply;
    }

    /// <summary>Gives up a connection before its final reply is read: the session ends.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!_isFinished)
        {
            _control.Break(new TransferConnectionException(TransferError.Lost, "A transfer was given up."));
            Abort();
        }
        await _stream.DisposeAsync().ConfigureAwait(false);
    }

    // A reset, so that the server does not take partial data for the whole.
    private void Abort() => SocketOf(_stream)?.Close(0);

    private static Reply Refusal(FtpCommandException e) => new(Reply.CodeOf(e.CompletionCode), TextOf(e), []);

    // The message begins with the code, which the reply has, too.
    private static string TextOf(FtpCommandException e) =>
        e.Message[(e.Message.IndexOf("Message: ", StringComparison.Ordinal) + "Message: ".Length)..];

    private async Task<IOException?> TryWriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken token)
    {
        try
        {
            await _stream.WriteAsync(bytes, token).ConfigureAwait(false);
            return null;
        }
        catch (IOException e)
        {
            return e;
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Socket")]
    private static extern Socket? SocketOf(FtpSocketStream stream);

    // FluentFTP's own methods for data connections change paths (blanks at their ends, backslashes), absorb 550 and lost connections in
    // listings, and delete files before their replacement. The method behind all of them is open only to classes derived from its client,
    // and clients here are the application's.
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OpenDataStreamAsync")]
    private static extern Task<FtpDataStream> OpenDataStreamAsync(AsyncFtpClient client, string command, long restart,
        CancellationToken token);
}
