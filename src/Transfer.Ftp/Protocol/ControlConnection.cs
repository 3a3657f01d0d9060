using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Sessions;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// An FTP control connection: any number of commands in one write, their replies matched in order. One loop reads all the time, so an idle
/// session notices a 421 or a lost server at once. Members may be used from several threads; writes are serialized.
/// </summary>
internal sealed class ControlConnection : IAsyncDisposable
{
    /// <summary>The most bytes of commands that ProFTPD 1.3.8 and Pure-FTPd 1.0.50 read at once.</summary>
    public const int ServerBuffer = 4096;

    private const int ReadBuffer = 8 * 1024;

    // ProFTPD sends each line of a reply on its own, and each wakes this side. While so many replies are owed, reads wait for more.
    private const int ManyReplies = 64;
    private const int ManyLongReplies = 4;
    private const int LongestGathering = 16; // milliseconds

    private readonly ControlTransport _transport;
    private readonly IdleWatch _watch;
    private readonly ReplyQueue _replies;
    private readonly FtpSecrets _secrets = new();
    private readonly SemaphoreSlim _writing = new(1, 1);
    private readonly PendingReply _greeting;
    private readonly LogInText _text = new();
    private readonly IPEndPoint? _remote;
    private readonly IPEndPoint? _local;
    private volatile Encoding _encoding;
    private Task _reading = Task.CompletedTask;
    private string? _pausedAfter;
    private bool _bytesBehindPause;
    private int _disposed;

    private ControlConnection(Stream transport, Socket? socket, ControlConnectionSettings settings, TimeSpan? roundTrip)
    {
        Settings = settings;
        RoundTrip = roundTrip;
        _remote = (IPEndPoint?)socket?.RemoteEndPoint;
        _local = (IPEndPoint?)socket?.LocalEndPoint;
        SegmentSize = socket is null ? Protocol.SegmentSize.Smallest : Protocol.SegmentSize.Of(socket);
        _encoding = settings.Encoding;
        _watch = new IdleWatch(settings.TimeProvider, settings.IdleTimeout, OnIdle);

        _replies = new ReplyQueue(_watch);
        // Bytes sent prove nothing about the server. Bytes received put the time-out off only up to the greeting, as the log-in has a limit
        // of its own; later only replies do, since a server that sends a byte now and then would never be given up.
        _transport = new ControlTransport(transport, socket, settings, OnRead);
        _greeting = _replies.Add([new FtpCommand(ReplyQueue.GreetingVerb)])[0];
    }

    /// <summary>The settings from the opening.</summary>
    public ControlConnectionSettings Settings { get; }

    /// <summary>Runs when the connection ends while a reply is pending, with the command that waits longest and the reason.</summary>
    public Action<FtpCommand, TransferConnectionException>? Unanswered { get; set; }

    /// <summary>Whether commands can be sent.</summary>
    public bool Usable => _replies.Fault is null;

    /// <summary>Why the connection has ended, or null.</summary>
    public TransferException? Fault => _replies.Fault;

    /// <summary>The number of pending replies.</summary>
    public int PendingCount => _replies.Count;

    /// <summary>The encoding of names from now on, both ways. ASCII-compatible.</summary>
    public Encoding Encoding
    {
        get => _encoding;
        set => _encoding = value;
    }

    /// <summary>The server's address, or the proxy's. IPv4 never comes mapped into IPv6.</summary>
    public IPEndPoint RemoteEndPoint => Unmapped(_remote);

    /// <summary>The local address.</summary>
    public IPEndPoint LocalEndPoint => Unmapped(_local);

    /// <summary>One round trip of the path, measured by the TCP handshake; null behind a proxy.</summary>
    public TimeSpan? RoundTrip { get; }

    /// <summary>The number of bytes in one TCP segment.</summary>
    public int SegmentSize { get; }

    /// <summary>Whether commands are encrypted.</summary>
    public bool IsTls => _transport.Tls is not null;

    /// <summary>The TLS version in use, <see cref="SslProtocols.None"/> in plain text.</summary>
    public SslProtocols TlsProtocol => _transport.Tls?.SslProtocol ?? SslProtocols.None;

    /// <summary>The cipher suite; null without TLS.</summary>
    public string? TlsCipher => _transport.Tls?.NegotiatedCipherSuite.ToString();

    /// <summary>SHA-256 of the server's certificate as sent, once TLS has begun.</summary>
    public byte[]? PeerCertificateHash => Tls?.CertificateHash;

    /// <summary>The identity by which data connections resume this connection's TLS session. Stays after CCC.</summary>
    public TlsIdentity? Tls => _transport.Identity;

    /// <summary>Dials the server, and starts TLS at once where the settings require implicit TLS.</summary>
    /// <exception cref="TransferConnectionException">Not reached, or TLS failed.</exception>
    public static async ValueTask<ControlConnection> OpenAsync(ControlConnectionSettings settings, CancellationToken ct)
    {
        var hints = new DialHints { IsForTls = settings.Tls is not null };
        var dialed = await DialedConnection.OpenAsync(settings.Host, settings.Port, settings.Dial, hints, settings.Logger,
            settings.TimeProvider, ct).ConfigureAwait(false);
        var connection = new ControlConnection(dialed.Stream, dialed.Socket, settings, dialed.RoundTrip);
        return await connection.BeginAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Begins over a stream that is connected already. Only a <see cref="NetworkStream"/> has end points.</summary>
    public static ValueTask<ControlConnection> AttachAsync(Stream transport, ControlConnectionSettings settings, CancellationToken ct) =>
        new ControlConnection(transport, (transport as NetworkStream)?.Socket, settings, roundTrip: null).BeginAsync(ct);

    /// <summary>Waits for the server's 220, past a 120.</summary>
    /// <exception cref="TransferException">
    /// The server greets with a refusal (then a <see cref="TransferConnectionException"/>), or is gone.
    /// </exception>
    public async ValueTask<FtpReply> GreetingAsync(CancellationToken ct)
    {
        var reply = await _greeting.GetFinalReplyAsync(ct).ConfigureAwait(false);
        if (reply.IsSuccess)
            return reply;
        var refusal = ReplyErrors.ToException(reply, _greeting.Command);
        // Codes about files or commands concern the connection here.
        var error = refusal.Error is TransferError.Auth or TransferError.Tls or TransferError.Protocol ? refusal.Error : TransferError.Lost;
        throw new TransferConnectionException(error, refusal.Message)
        {
            IsTransient = refusal.IsTransient,
            ServerCode = reply.Code
        };
    }

    /// <summary>
    /// Sends commands in one write and returns a pending reply for each. Cancelling before the write starts sends nothing; cancelling
    /// within the write ends the connection.
    /// </summary>
    /// <exception cref="ArgumentException">A command without a verb, or AUTH or CCC with another command behind it.</exception>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: a name the encoding can't express, nothing was sent. Else the connection's fault.
    /// </exception>
    public async ValueTask<IReadOnlyList<PendingReply>> SendAsync(IReadOnlyList<FtpCommand> commands, CancellationToken ct)
    {
        if (commands.Count == 0)
            return [];
        for (var i = 0; i < commands.Count - 1; i++)
        {
            if (ReplyQueue.SwitchesLayer(commands[i]))
                throw new ArgumentException("Nothing may follow AUTH or CCC in the same write.", nameof(commands));
        }

        var bytes = new ArrayBufferWriter<byte>(Math.Max(256, commands.Count * 16));
        CommandEncoder.Encode(commands, _encoding, bytes);
        await _writing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_pausedAfter is { } layer && Usable)
                throw new InvalidOperationException($"{layer} was granted: TLS has to be switched before anything is sent.");
            var replies = _replies.Add(commands);
            _secrets.Note(commands);
            if (Settings.Logger.IsEnabled(LogLevel.Trace))
            {
                foreach (var command in commands)
                    Log.CommandSent(Settings.Logger, command.ToString());
            }

            await WriteAsync(bytes.WrittenMemory, ct).ConfigureAwait(false);
            return replies;
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Sends one command and waits for its final reply, positive or negative.</summary>
    /// <exception cref="TransferException">As for <see cref="SendAsync"/>.</exception>
    public async ValueTask<FtpReply> ExecuteAsync(FtpCommand command, CancellationToken ct)
    {
        var replies = await SendAsync([command], ct).ConfigureAwait(false);
        return await replies[0].GetFinalReplyAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Starts TLS after AUTH was answered by 234 (RFC 4217 section 4). A failure ends the connection.</summary>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Tls"/>: the handshake or the certificate was refused, or plain bytes came behind the 234, which an attacker
    /// may have put there to be taken for encrypted replies.
    /// </exception>
    public ValueTask StartTlsAsync(CancellationToken ct) => StartTlsAsync(null, ct);

    /// <summary>Starts TLS with settings other than the connection's, chosen by the server's greeting.</summary>
    public async ValueTask StartTlsAsync(TlsSettings? instead, CancellationToken ct)
    {
        await _writing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            await EnterPauseAsync("AUTH").ConfigureAwait(false);
            if (_bytesBehindPause || _transport.HasUnreadBytes)
            {
                throw Broken(TransferError.Tls,
                    "Plain text came behind the server's answer to AUTH TLS, before TLS began: the connection may be under attack.");
            }

            await SwitchAsync(_transport.SecureAsync(instead, ct)).ConfigureAwait(false);
            Resume();
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>
    /// Ends TLS after CCC was answered by 200 (RFC 4217 section 6): both sides send close_notify, then the connection goes on in plain
    /// text.
    /// </summary>
    /// <exception cref="TransferConnectionException">The server did not end TLS cleanly.</exception>
    public async ValueTask StopTlsAsync(CancellationToken ct)
    {
        await _writing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            await EnterPauseAsync("CCC").ConfigureAwait(false);
            if (_bytesBehindPause)
                throw Broken(TransferError.Protocol, "The server sent more behind its answer to CCC.");
            await SwitchAsync(_transport.EndTlsAsync(ct)).ConfigureAwait(false);
            Resume();
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Notes progress of a data transfer of this session: the server is alive, though a reply is pending.</summary>
    public void Touch() => _watch.Touch();

    /// <summary>
    /// Stops the time-out until <see cref="Release"/>: a data transfer of this session waits for the local end, not for the server.
    /// </summary>
    public void Hold() => _watch.Hold();

    /// <summary>Starts the time-out again after <see cref="Hold"/>.</summary>
    public void Release() => _watch.Release();

    /// <summary>Ends the connection: every pending reply fails with <paramref name="fault"/>. Only the first fault counts.</summary>
    public void Break(TransferException fault)
    {
        var unanswered = _replies.Oldest;
        if (!_replies.Fail(fault))
            return;
        if (unanswered is { } command && fault is TransferConnectionException { ServerCode: null } lost)
            Unanswered?.Invoke(command, lost);
        if (_disposed == 0)
            Log.ControlBroken(Settings.Logger, fault.Message);
        _transport.Close();
    }

    /// <summary>Closes the connection; pending replies fail. Sends no QUIT.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        if (Usable && await _writing.WaitAsync(TimeSpan.Zero).ConfigureAwait(false))
        {
            await _transport.SayGoodbyeAsync().ConfigureAwait(false);
            _writing.Release();
        }

        Break(new TransferConnectionException(TransferError.Lost, "The control connection was closed."));
        await _reading.ConfigureAwait(false);
        await _transport.DisposeAsync().ConfigureAwait(false);
        _watch.Dispose();
    }

    private static IPEndPoint Unmapped(IPEndPoint? endPoint)
    {
        if (endPoint is null)
            throw new InvalidOperationException("A connection over such a stream has no end points.");
        return endPoint.Address.IsIPv4MappedToIPv6 ? new IPEndPoint(endPoint.Address.MapToIPv4(), endPoint.Port) : endPoint;
    }

    private async ValueTask<ControlConnection> BeginAsync(CancellationToken ct)
    {
        try
        {
            if (Settings.ImplicitTls)
                await SwitchAsync(_transport.SecureAsync(null, ct)).ConfigureAwait(false);
            Resume();
            return this;
        }
        catch
        {
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken ct)
    {
        // Half a command line on the wire would garble the rest, so a write is never cancelled: the connection is ended instead.
        using var canceled = ct.UnsafeRegister(
            static state =>
            ((ControlConnection)state!)
            .Break(new TransferConnectionException(TransferError.Lost, "Canceled while commands were being sent.")), this);
        try
        {
            // ProFTPD and Pure-FTPd wait on the socket for more and do not see the rest of a long record inside OpenSSL.
            while (_transport.Tls is not null && bytes.Length > ServerBuffer)
            {
                // A command is not torn either: ProFTPD takes the first part for a whole command.
                var end = bytes.Span[..ServerBuffer].LastIndexOf((byte)'\n') + 1;
                if (end == 0) break;
                await _transport.Stream.WriteAsync(bytes[..end], CancellationToken.None).ConfigureAwait(false);
                bytes = bytes[end..];
            }
            await _transport.Stream.WriteAsync(bytes, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
        {
            Break(new TransferConnectionException(TransferError.Lost, "The control connection was lost.", e));
            ct.ThrowIfCancellationRequested();
            throw Fault!;
        }
    }

    private void Resume()
    {
        _pausedAfter = null;
        _reading = ReadAsync(PipeReader.Create(_transport.Stream, new StreamPipeReaderOptions(bufferSize: ReadBuffer, leaveOpen: true)));
    }

    private async Task ReadAsync(PipeReader reader)
    {
        var hasRead = false;
        try
        {
            var gathering = 1;
            while (true)
            {
                var reading = reader.ReadAsync();
                var hasWaited = !reading.IsCompleted;
                var result = await reading.ConfigureAwait(false);
                hasRead = true;
                var buffer = result.Buffer;
                var goOn = Take(ref buffer);
                reader.AdvanceTo(buffer.Start, buffer.End);
                if (!goOn)
                    break;
                if (result.IsCompleted)
                    throw new TransferConnectionException(TransferError.Lost, "The server closed the control connection.");
                if (PendingCount < (_replies.NextLines is null ? ManyReplies : ManyLongReplies)) gathering = 1;
                else if (hasWaited || _transport.IsDrained)
                    await Task.Delay(gathering = Math.Min(2 * gathering, LongestGathering)).ConfigureAwait(false);
            }
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Protocol && PendingCount > 1)
        {
            // A server that took two commands for one quotes both in its reply, line end included. A new session will send them one by one.
            Break(new TransferConnectionException(e.Error, e.Message) { IsTransient = true });
        }
        catch (IOException e) when (!hasRead && IsTls && e.InnerException is not (null or SocketException))
        {
            // Under TLS 1.3 the server judges the client's certificate when the handshake is over for this side.
            Break(new TransferConnectionException(TransferError.Tls, "The server ended TLS behind the handshake: "
                + $"{e.GetBaseException().Message}. A client certificate may be wanted, or another one "
                + "(--cert, FtpTlsOptions.ClientCertificates).", e));
        }
        catch (Exception e)
        {
            Break(e as TransferException ?? new TransferConnectionException(TransferError.Lost, "The control connection was lost.", e));
        }
        finally
        {
            await reader.CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Delivers the replies in the buffer. False: the loop ends, because TLS is to be switched.</summary>
    private bool Take(ref ReadOnlySequence<byte> buffer)
    {
        while (true)
        {
            if (_replies.MayHaveText && !_text.TrySkip(ref buffer)) return true;
            var before = buffer.Length;
            if (!TryRead(ref buffer, out var reply))
            {
                // Lines that are taken one by one are those of a listing.
                if (buffer.Length < before) _watch.Touch();
                return true;
            }

            reply!.Secrets = _secrets;
            if (_replies.IsRepeated(reply)) continue;
            var pending = _replies.Match(reply);
            if (Settings.Logger.IsEnabled(LogLevel.Trace))
            {
                foreach (var line in reply.Lines)
                    Log.ReplyReceived(Settings.Logger, reply.Code, reply.Show(pending?.Command.Redact(line) ?? line));
            }

            if (pending is null)
                throw reply.Code == 421 ? ServerLeaves(reply) : Unasked(reply);

            // Recorded before the reply is delivered: StartTlsAsync and StopTlsAsync depend on the record.
            var switches = reply.IsSuccess && ReplyQueue.SwitchesLayer(pending.Command);
            if (switches)
            {
                _bytesBehindPause = !buffer.IsEmpty;
                _pausedAfter = pending.Command.Verb.ToUpperInvariant();
            }

            if (!reply.IsPreliminary || !pending.HasBegun || ReplyQueue.MayTakeLong(pending.Command)) _watch.Touch();
            pending.Deliver(reply);
            if (reply.Code == 421)
                throw ServerLeaves(reply);
            if (switches)
                return false;
        }
    }

    private bool TryRead(ref ReadOnlySequence<byte> buffer, out FtpReply? reply) => _replies.NextLines is { } lines
        ? lines.TryRead(ref buffer, _encoding, out reply, _secrets.AreSent)
        : FtpReplyParser.TryRead(ref buffer, _encoding, out reply, _secrets.AreSent);

    private static TransferConnectionException ServerLeaves(FtpReply reply) =>
        new(TransferError.Lost, $"The server closed the session: {reply}") { ServerCode = reply.Code, IsTransient = true };

    private static TransferConnectionException Unasked(FtpReply reply) =>
        new(TransferError.Protocol, $"The server sent a reply that nothing was waiting for: {reply}") { ServerCode = reply.Code };

    private void OnRead()
    {
        if (_replies.IsAtGreeting) _watch.Touch();
    }

    private void OnIdle() =>
        Break(new TransferConnectionException(TransferError.Timeout,
            $"Nothing moved for {Settings.IdleTimeout.TotalSeconds:0.###} s while a reply was owed."));

    private TransferConnectionException Broken(TransferError error, string message)
    {
        var fault = new TransferConnectionException(error, message);
        Break(fault);
        return fault;
    }

    private async ValueTask EnterPauseAsync(string layer)
    {
        if (_pausedAfter == layer)
            await _reading.ConfigureAwait(false);
        if (Fault is { } fault)
            throw fault;
        if (_pausedAfter != layer)
            throw new InvalidOperationException($"The server has not granted {layer}.");
    }

    private async ValueTask SwitchAsync(ValueTask step)
    {
        try
        {
            await step.ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Break(e);
            throw;
        }
        catch (OperationCanceledException e)
        {
            Break(new TransferConnectionException(TransferError.Lost, "Canceled while TLS was being switched.", e));
            throw;
        }
    }
}
