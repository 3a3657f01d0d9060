using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Sessions;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Transport;

/// <summary>
/// The transport layer of one connection (RFC 4253): the version exchange, packets, key exchanges at any moment, and the transport's own
/// messages. One task reads (<see cref="TryReceive"/>, <see cref="WaitAsync"/>), any task sends. Errors are thrown to the reading task,
/// which ends the connection with <see cref="Fail"/>; from then on <see cref="Failure"/> is the one reason for all.
/// </summary>
internal sealed class SshTransport : IAsyncDisposable, ISshLink
{
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(1);

    private readonly Stream _stream;
    private readonly SshConnectionSettings _settings;
    private readonly PacketReader _reader;
    private readonly PacketWriter _writer;
    private readonly KeyExchange _kex;
    private readonly Liveness _liveness;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _tornDown = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TransferConnectionException? _failure;
    private TransferConnectionException? _closedHere;
    private ReadOnlyMemory<byte> _kexStep;
    private int _readerEnded;

    public SshTransport(Stream stream, SshConnectionSettings settings)
    {
        _stream = stream;
        _settings = settings;
        _reader = new PacketReader(stream);
        _writer = new PacketWriter(stream, () => _kex!.Start(),
            cause => _ = OnWriteFailedAsync(cause))
        { RekeyAfterBytes = settings.Rekey.Bytes, RekeyAfterPackets = settings.Rekey.Packets, Sent = LogSent };
        _kex = new KeyExchange(settings, _reader, _writer);
        _liveness = new Liveness(settings.TimeProvider, settings.IdleTimeout, AskForLife, GiveUp);
    }

    /// <summary>The reason of the connection's end; null while it lives.</summary>
    public TransferConnectionException? Failure => Volatile.Read(ref _failure);

    /// <summary>Completes when the connection has ended.</summary>
    public Task Ended => _ended.Task;

    public PacketWriter Writer => _writer;

    public ReadOnlyMemory<byte> SessionId => _kex.SessionId;

    /// <summary>The server's version line.</summary>
    public string ServerVersion { get; private set; } = "";

    /// <summary>The server's response time in the key exchange; null before.</summary>
    public TimeSpan? RoundTrip => _kex.RoundTrip;

    /// <inheritdoc cref="KeyExchange.Methods"/>
    public IReadOnlyList<ServerFact> Methods => _kex.Methods;

    /// <summary>The signature algorithms that the server takes from users, or null when it has sent none.</summary>
    public IReadOnlyList<string>? SignatureAlgorithms { get; private set; }

    /// <summary>Requests a sign of life by a message of the layer above; null: there is none yet.</summary>
    public Action? KeepAlive { get; set; }

    /// <summary>
    /// Exchanges versions and the first keys. The client's KEXINIT leaves with its version line, as neither depends on the server's.
    /// </summary>
    public async ValueTask HandshakeAsync(CancellationToken ct)
    {
        _writer.AddRaw([.. VersionLine.Ours.Span, (byte)'\r', (byte)'\n']);
        _kex.Start();
        await ReadVersionAsync(ct).ConfigureAwait(false);
        while (!_kex.Established)
        {
            if (TryReceive(out _)) throw Unexpected("a message before the first keys");
            if (!_kex.Established) await WaitAsync(ct).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Returns the next message for the layers above; false when none has arrived. The message stays valid until the next call.
    /// </summary>
    public bool TryReceive(out ReadOnlyMemory<byte> message)
    {
        while (_kexStep.IsEmpty && _reader.TryRead(out var payload))
        {
            var number = payload.Span[0];
            if (IsLogged(number)) Log.MessageReceived(_settings.Logger, MessageNames.Of(number));
            if (number is MessageNumber.ServiceRequest or MessageNumber.ServiceAccept or > MessageNumber.LastKex)
            {
                if (!MayCome(number)) throw Unexpected($"message {number} in a key exchange");
                message = payload;
                return true;
            }

            OnTransportMessage(number, payload);
        }

        message = default;
        return false;
    }

    /// <summary>Waits until <see cref="TryReceive"/> may have more.</summary>
    /// <exception cref="TransferConnectionException">The connection has ended.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask WaitAsync(CancellationToken ct)
    {
        if (!_kexStep.IsEmpty)
        {
            await _kex.OnMethodMessageAsync(_kexStep, ct).ConfigureAwait(false);
            _kexStep = default;
            return;
        }

        StartRekeyWhenDue();
        _liveness.BeginRead();
        try
        {
            if (!await _reader.FillAsync(ct).ConfigureAwait(false))
                throw new TransferConnectionException(TransferError.Lost, $"{_settings.Host} closed the connection.");
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or IOException and not TransferException)
        {
            throw Failure
                ?? new TransferConnectionException(TransferError.Lost, $"The connection to {_settings.Host} was lost: {e.Message}", e);
        }
        finally
        {
            _liveness.EndRead();
        }
    }

    /// <summary>The next message for the layers above.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReceiveAsync(CancellationToken ct)
    {
        ReadOnlyMemory<byte> message;
        while (!TryReceive(out message)) await WaitAsync(ct).ConfigureAwait(false);
        return message;
    }

    /// <summary>Sends a message of the layers above.</summary>
    public void Send(ReadOnlySpan<byte> payload) => _writer.Send(payload);

    /// <summary>
    /// See <see cref="DialedConnection.AcknowledgeAtOnce"/>. Call after the last send: sending makes the kernel delay ACKs.
    /// </summary>
    public void AcknowledgeAtOnce()
    {
        if (_stream is NetworkStream { Socket: var socket }) DialedConnection.AcknowledgeAtOnce(socket);
    }

    /// <summary>Exchanges new keys.</summary>
    public void Rekey() => _kex.Start();

    /// <summary>Answers an unknown message (RFC 4253 section 11.4). Call before the next message is taken.</summary>
    public void SendUnimplemented()
    {
        var writer = new ArrayBufferWriter<byte>(8);
        writer.WriteByte(MessageNumber.Unimplemented);
        writer.WriteUInt32(_reader.Sequence - 1);
        _writer.SendNow(writer.WrittenSpan);
    }

    /// <summary>Ends the connection for a reason; only the first counts. The server is notified, if still reachable.</summary>
    public void Fail(Exception cause)
    {
        var failure = LostBefore() ?? cause as TransferConnectionException
            ?? (cause is TransferException e ? new TransferConnectionException(e.Error, e.Message, e) { ServerCode = e.ServerCode }
                : new TransferConnectionException(TransferError.Lost, $"The connection to {_settings.Host} was lost: {cause.Message}",
                    cause));
        if (Interlocked.CompareExchange(ref _failure, failure, null) is not null) return;
        Log.SshEnded(_settings.Logger, _settings.Host, failure.Message);
        _liveness.Dispose();
        _writer.Fail(failure,
            failure.Error is TransferError.Lost or TransferError.Timeout && !ReferenceEquals(cause, _closedHere) ? []
            : Goodbye(failure.Error));
        _ended.TrySetResult();
        _ = TearDownAsync();
    }

    /// <summary>Ends the reading task and returns the buffer.</summary>
    public void EndReading()
    {
        if (Interlocked.Exchange(ref _readerEnded, 1) != 0) return;
        _kex.Dispose();
        _reader.Dispose();
    }

    /// <summary>Sends a disconnect message and closes the connection. The reading task ends, too.</summary>
    public async ValueTask DisposeAsync()
    {
        _closedHere ??= new TransferConnectionException(TransferError.Lost, $"The connection to {_settings.Host} was closed on this side.");
        Fail(_closedHere);
        await _tornDown.Task.ConfigureAwait(false);
    }

    private async ValueTask ReadVersionAsync(CancellationToken ct)
    {
        string? said = null;
        for (var lines = 0; lines <= VersionLine.MaxPreambleLines;)
        {
            if (VersionLine.TryTakeLine(_reader.Unread, out var line, out var consumed, out var isVersion))
            {
                var text = WireText.Clean(Encoding.UTF8.GetString(line));
                if (isVersion)
                {
                    _kex.ServerVersion = line.ToArray();
                    ServerVersion = text;
                    _reader.Skip(consumed);
                    Log.ServerVersion(_settings.Logger, _settings.Host, text);
                    return;
                }

                ThrowForeign(line, text);
                _reader.Skip(consumed);
                Log.ServerSays(_settings.Logger, _settings.Host, text);
                said = text;
                lines++;
                continue;
            }

            if (ForeignGreeting.IsRecord(_reader.Unread)) ThrowForeign(_reader.Unread, string.Empty);
            try
            {
                await WaitAsync(ct).ConfigureAwait(false);
            }
            catch (TransferConnectionException e) when (said is not null && e.Error == TransferError.Lost)
            {
                // In place of the version: OpenSSH's "Exceeded MaxStartups", or "Not allowed at this time".
                throw new TransferConnectionException(TransferError.Lost, $"{_settings.Host} closed the connection: \"{said}\".", e)
                {
                    ServerCode = said.Contains("MaxStartups", StringComparison.Ordinal) ? DisconnectReason.TooManyConnections : null,
                };
            }
        }

        throw new TransferException(TransferError.Protocol, "The server does not speak SSH: its greeting does not end.");
    }

    private void ThrowForeign(ReadOnlySpan<byte> data, string text)
    {
        if (ForeignGreeting.Recognize(data) is not { } protocol) return;
        var came = text.Length == 0 ? "." : $": \"{text}\" came.";
        throw new TransferConnectionException(TransferError.Protocol,
            $"{HostName.Display(_settings.Host, _settings.Port)} speaks {protocol} and not SSH{came}");
    }

    // RFC 4253 section 7.1 forbids messages of the upper layers between KEXINIT and NEWKEYS. Some servers (asyncssh) send them all the same
    // when keys are changed, and OpenSSH takes them: they are sealed with the keys in use. In the first exchange nothing is sealed yet, and
    // all are refused, with or without strict key exchange: the messages of a Terrapin attack come there.
    private bool MayCome(byte number) => _kex.Established && (!_kex.ServerIsExchanging || number > MessageNumber.LastKex);

    private bool IsLogged(byte number) => MessageNames.IsLogged(number) && _settings.Logger.IsEnabled(LogLevel.Trace);

    private void LogSent(byte number)
    {
        if (IsLogged(number)) Log.MessageSent(_settings.Logger, MessageNames.Of(number));
    }

    private void OnTransportMessage(byte number, ReadOnlyMemory<byte> payload)
    {
        if (!_kex.Established && _kex.Strict
            && number is not MessageNumber.Disconnect and not MessageNumber.NewKeys and (< MessageNumber.KexClientValue))
        {
            throw Unexpected($"message {number} in a strict key exchange");
        }

        switch (number)
        {
            case MessageNumber.Disconnect:
                ThrowDisconnected(payload.Span);
                break;
            case MessageNumber.Ignore:
                break;
            case MessageNumber.Unimplemented:
                Log.NotImplemented(_settings.Logger, _settings.Host, new SshReader(payload.Span[1..]).ReadUInt32());
                break;
            case MessageNumber.Debug:
                OnDebug(payload.Span);
                break;
            case MessageNumber.ExtensionInfo when _kex.Established && !_kex.ServerIsExchanging:
                SignatureAlgorithms = ExtensionInfo.ReadSignatureAlgorithms(payload.Span) ?? SignatureAlgorithms;
                break;
            case MessageNumber.KexInit:
                _kex.OnInit(payload.Span);
                break;
            case MessageNumber.NewKeys:
                _kex.OnNewKeys();
                StartRekeyWhenDue();
                break;
            case >= MessageNumber.KexClientValue and <= MessageNumber.LastKex:
                _kexStep = payload;
                break;
            case MessageNumber.ExtensionInfo:
                throw Unexpected("extensions in a key exchange");
            default:
                // Before the first keys only the exchange's messages are valid. Later an unknown message is answered (RFC 4253 section
                // 11.4).
                if (!_kex.Established) throw Unexpected($"message {number} before the first keys");
                SendUnimplemented();
                break;
        }
    }

    private void OnDebug(ReadOnlySpan<byte> payload)
    {
        var reader = new SshReader(payload[1..]);
        reader.ReadBoolean();
        Log.ServerDebug(_settings.Logger, _settings.Host, _settings.Show(reader.ReadText()));
    }

    [DoesNotReturn]
    private void ThrowDisconnected(ReadOnlySpan<byte> payload)
    {
        var reader = new SshReader(payload[1..]);
        var reason = reader.ReadUInt32();
        var text = _settings.Show(reader.ReadText());
        throw new TransferConnectionException(DisconnectReason.ErrorOf(reason, text),
            $"{_settings.Host} ended the connection: {text} (reason {reason}).")
        {
            ServerCode = (int)Math.Min(reason, int.MaxValue),
        };
    }

    private void StartRekeyWhenDue()
    {
        if (!_kex.Established || _kex.ServerIsExchanging) return;
        var limits = _settings.Rekey;
        if (_reader.BytesSinceKeys >= limits.Bytes || _reader.PacketsSinceKeys >= limits.Packets || _writer.KeysAreUsedUp
            || _settings.TimeProvider.GetElapsedTime(_kex.LastEnded) >= limits.Time)
        {
            _kex.Start();
        }
    }

    private async Task OnWriteFailedAsync(Exception cause)
    {
        // The server's own message may still be on the way to the reading task: the better reason.
        try
        {
            await _ended.Task.WaitAsync(LastWords, _settings.TimeProvider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            Fail(cause);
        }
    }

    private async Task TearDownAsync()
    {
        try
        {
            await _writer.Drained.WaitAsync(LastWords, _settings.TimeProvider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The server does not read the last message: the socket loses it.
        }

        await _stream.DisposeAsync().ConfigureAwait(false);
        await _writer.Drained.ConfigureAwait(false);
        _writer.Dispose();
        _tornDown.TrySetResult();
    }

    /// <summary>Returns the end of the carrying connection as the reason, if that has ended, whatever the error here.</summary>
    private TransferConnectionException? LostBefore() => _closedHere is null && _settings.Through is { Failure: { } lost } through
        ? new TransferConnectionException(lost.Error,
            $"The connection to {_settings.Host} is lost with the jump host {through.Place}: {lost.Message}", lost)
        : null;

    private void AskForLife()
    {
        if (KeepAlive is not { } ask || Failure is not null) return;
        Log.AskedForLife(_settings.Logger, _settings.Host);
        ask();
    }

    private void GiveUp() =>
        Fail(new TransferConnectionException(TransferError.Timeout,
            $"Nothing came from {_settings.Host} for {_settings.IdleTimeout.TotalSeconds:0.#} s."));

    private static byte[] Goodbye(TransferError error)
    {
        var writer = new ArrayBufferWriter<byte>(64);
        writer.WriteByte(MessageNumber.Disconnect);
        writer.WriteUInt32(error == TransferError.Lost ? DisconnectReason.ByApplication : DisconnectReason.For(error));
        writer.WriteString(error == TransferError.Lost ? "done"u8 : "protocol failure"u8);
        writer.WriteString(""u8);
        return writer.WrittenSpan.ToArray();
    }

    private static TransferException Unexpected(string what) =>
        new(TransferError.Protocol, $"The server sent {what}, which has no place there.");
}
