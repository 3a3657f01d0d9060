using System.IO.Pipelines;
using System.Text;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>
/// A channel of a multiplexed connection. The <c>On…</c> members belong to the reading task, all others to the channel's user.
/// </summary>
internal sealed class OpenChannel : SshChannel
{
    private const int MaxErrorText = 4 * 1024;

    // The bytes that an early channel may send before the server's confirmation: INIT and companions are a tenth of them.
    private const int EarlyWindow = 2048;

    private readonly SshTransport _transport;
    private readonly SshConnectionSettings _settings;
    private readonly ChannelData _received;
    private readonly ReceiveWindow _receiveWindow;
    private readonly ChannelOutput _output;
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<int?> _exit = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _gate = new();
    private readonly StringBuilder _errorText = new();
    private readonly Decoder _errorDecoder = Encoding.UTF8.GetDecoder();
    private string? _pendingRequest;
    private int? _exitStatus;
    private TransferException? _failure;
    private volatile bool _isEarly;
    private bool _confirmed;
    private bool _abandoned;
    private bool _eofSent;
    private bool _closeSent;
    private bool _closeReceived;

    public OpenChannel(uint localId, SshTransport transport, SegmentPool segments, SshConnectionSettings settings)
    {
        LocalId = localId;
        _transport = transport;
        _settings = settings;
        _receiveWindow = new ReceiveWindow(settings.ReceiveWindow);
        _output = new ChannelOutput(this);
        _received = new ChannelData(segments);
        Input = new ChannelInput(_received.Reader, OnConsumed, _received.Drop);

        // Marks failures as observed.
        _exit.Task.ContinueWith(static task => task.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted,
            TaskScheduler.Default);
        _opened.Task.ContinueWith(static task => task.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted,
            TaskScheduler.Default);
    }

    public override PipeReader Input { get; }

    public override PipeWriter Output => _output;

    public override long SendWindow => Window.Largest;

    public override Task<int?> ExitStatus => _exit.Task;

    public override string ErrorText
    {
        get
        {
            lock (_gate)
                return _settings.WithoutPassword(_errorText.ToString());
        }
    }

    public override string Show(string text) => _settings.Show(text);

    public uint LocalId { get; }

    public uint RemoteId { get; private set; }

    public int MaxSendData { get; private set; }

    public SendWindow Window { get; } = new();

    /// <summary>Whether either side has closed the channel.</summary>
    public bool SendsNoMore => Volatile.Read(ref _closeSent) || Volatile.Read(ref _closeReceived);

    /// <summary>Completes when the server has opened the channel, or fails with the reason of a refusal.</summary>
    public Task Opened => _opened.Task;

    /// <summary>Whether both sides have closed: the server sends nothing more.</summary>
    public bool IsClosed => _closeReceived;

    public void ThrowIfFailed()
    {
        if (Volatile.Read(ref _failure) is { } failure) throw failure;
        if (_transport.Failure is { } lost) throw lost;
    }

    /// <summary>
    /// Uses the channel before the server's confirmation, under the future number there: OpenSSH gives 0 to the first of a connection. The
    /// user may send at once.
    /// </summary>
    public void BeginEarly(string subsystem)
    {
        _isEarly = true;
        RemoteId = 0;
        MaxSendData = EarlyWindow;
        Window.OpenAhead(EarlyWindow);
        Request("subsystem", subsystem);
    }

    /// <summary>
    /// Gives up an early channel that the server has not taken. Nothing more is sent: the number may be another channel's from now on.
    /// </summary>
    public void GiveUpEarly(TransferConnectionException reason)
    {
        lock (_gate)
        {
            if (!_isEarly) return;
            Volatile.Write(ref _failure, reason);
        }

        OnLost(reason);
    }

    /// <summary>Sends data; false when there is no room, and the waiter is woken later.</summary>
    public bool TrySend(ReadOnlySpan<byte> data, ISendWaiter waiter)
    {
        if (!_isEarly) return _transport.Writer.TrySendData(RemoteId, data, waiter);
        lock (_gate)
            return _failure is null && _transport.Writer.TrySendData(RemoteId, data, waiter);
    }

    /// <summary>Gives up the channel, which is closed as soon as it opens.</summary>
    public void Abandon()
    {
        lock (_gate)
        {
            _abandoned = true;
            if (!_confirmed) return;
        }

        SendClose();
    }

    /// <summary>Sends a request without a wait; a refusal ends the channel.</summary>
    public void Request(string type, string argument)
    {
        _pendingRequest = type;
        _transport.Send(ChannelMessages.Request(RemoteId, type, argument));
    }

    public override void Terminate()
    {
        lock (_gate)
        {
            if (!_confirmed || SendsNoMore) return;
        }

        if (_transport.Failure is null) _transport.Send(ChannelMessages.Signal(RemoteId, "TERM"));
    }

    public void SendEof()
    {
        lock (_gate)
        {
            if (_eofSent || SendsNoMore) return;
            _eofSent = true;
        }

        _transport.Send(ChannelMessages.Short(MessageNumber.ChannelEof, RemoteId));
    }

    /// <summary>Logs a failure that no caller waits for.</summary>
    public void NoteLate(TransferException failure) => Log.ChannelError(_settings.Logger, LocalId, _settings.Host, failure.Message);

    public override ValueTask DisposeAsync()
    {
        Abandon();
        _received.End(null);
        _exit.TrySetResult(_exitStatus);
        return ValueTask.CompletedTask;
    }

    public void OnConfirmed(ref SshReader message)
    {
        if (_confirmed) throw new TransferException(TransferError.Protocol, "The server opened one channel twice.");
        var id = message.ReadUInt32();
        if (_isEarly && id != RemoteId)
            throw new TransferException(TransferError.Protocol, $"The server opened its channel {id} first, not {RemoteId}.");
        RemoteId = id;
        var window = message.ReadUInt32();
        var packet = message.ReadUInt32();
        if (packet == 0)
            throw new TransferException(TransferError.Protocol, "The server opened a channel on which no packet may hold anything.");
        MaxSendData = (int)Math.Min(packet, PacketLimits.MaxSendData);
        Window.Add(window);
        Log.ChannelOpened(_settings.Logger, LocalId, _settings.Host, window, MaxSendData);
        bool abandoned;
        lock (_gate)
        {
            _confirmed = true;
            _isEarly = false;
            abandoned = _abandoned;
        }

        if (abandoned) SendClose();
        _opened.TrySetResult();
    }

    public void OnRefused(ref SshReader message)
    {
        if (_confirmed) throw new TransferException(TransferError.Protocol, "The server refused a channel that it had opened.");
        var reason = message.ReadUInt32();
        var text = _settings.Show(message.ReadText());

        // Prohibited; connect failed; unknown type; resource shortage (RFC 4254 section 5.1).
        var error = reason switch { 2 => TransferError.Lost, 3 => TransferError.Unsupported, _ => TransferError.Denied };
        _closeReceived = true;
        var refusal = new TransferException(error, $"{_settings.Host} opens no channel: {text} (reason {reason}).")
        { ServerCode = (int)Math.Min(reason, int.MaxValue), IsTransient = reason is 2 or 4 };
        _received.End(refusal);
        _opened.TrySetException(refusal);
    }

    /// <summary>Returns true when the reader of <see cref="Input"/> must be woken by <see cref="Flush"/>.</summary>
    public bool OnData(ReadOnlySpan<byte> data)
    {
        RequireOpen();
        CheckIncoming(data.Length);
        if (_received.TryWrite(data)) return true;
        OnConsumed(data.Length);
        return false;
    }

    public void OnExtendedData(ref SshReader message)
    {
        RequireOpen();
        message.ReadUInt32(); // the type: stderr is the only one
        var data = message.ReadString();
        CheckIncoming(data.Length);
        OnConsumed(data.Length);
        var text = new char[Encoding.UTF8.GetMaxCharCount(data.Length)];
        var count = _errorDecoder.GetChars(data, text, flush: false);
        Log.ChannelError(_settings.Logger, LocalId, _settings.Host, _settings.Show(new string(text, 0, count)));
        lock (_gate)
        {
            _errorText.Append(text, 0, count);
            if (_errorText.Length > MaxErrorText) _errorText.Remove(0, _errorText.Length - MaxErrorText);
        }
    }

    public void OnWindowAdjust(uint count)
    {
        RequireOpen();
        Window.Add(count);
        _output.TrySendAgain();
    }

    public void OnEof()
    {
        RequireOpen();
        _received.End(null);
    }

    public void OnClose()
    {
        RequireOpen();
        Volatile.Write(ref _closeReceived, true);
        SendClose();
        _received.End(null);
        _exit.TrySetResult(_exitStatus);
        _output.TrySendAgain();
    }

    /// <summary>Handles a request of the server (RFC 4254 section 6.10); unknown ones are refused.</summary>
    public void OnRequest(ref SshReader message)
    {
        RequireOpen();
        var type = message.ReadText();
        var wantsReply = message.ReadBoolean();
        switch (type)
        {
            case "exit-status":
                _exitStatus = (int)Math.Min(message.ReadUInt32(), int.MaxValue);
                break;
            case "exit-signal":
                NoteLate(new TransferException(TransferError.Protocol,
                    $"The command was ended by the signal {_settings.Show(message.ReadText())}."));
                break;
        }

        if (wantsReply && !SendsNoMore) _transport.Send(ChannelMessages.Short(MessageNumber.ChannelFailure, RemoteId));
    }

    public void OnReply(bool success)
    {
        RequireOpen();
        var request = _pendingRequest
            ?? throw new TransferException(TransferError.Protocol, "The server answered a channel request that was not made.");
        _pendingRequest = null;
        Window.Settle();
        if (success) return;
        var failure = new TransferException(request == "subsystem" ? TransferError.Unsupported : TransferError.Denied,
            $"{_settings.Host} refuses the request '{request}'.");
        Volatile.Write(ref _failure, failure);
        _received.End(failure);
        _exit.TrySetException(failure);
        SendClose();
    }

    /// <summary>Ends the channel with the connection.</summary>
    public void OnLost(TransferConnectionException reason)
    {
        _received.End(reason);
        _opened.TrySetException(reason);
        _exit.TrySetException(reason);
        _output.TrySendAgain();
    }

    /// <summary>Wakes the reader for new data.</summary>
    public void Flush() => _received.Flush();

    private void SendClose()
    {
        lock (_gate)
        {
            if (_closeSent || !_confirmed) return;
            Volatile.Write(ref _closeSent, true);
        }

        _output.TrySendAgain();
        if (_transport.Failure is null) _transport.Send(ChannelMessages.Short(MessageNumber.ChannelClose, RemoteId));
    }

    private void OnConsumed(long count)
    {
        var back = _receiveWindow.Read(count);
        if (back > 0 && !SendsNoMore && _transport.Failure is null) _transport.Send(ChannelMessages.WindowAdjust(RemoteId, back));
    }

    private void CheckIncoming(int count)
    {
        if (count > PacketLimits.MaxReceiveData)
            throw new TransferException(TransferError.Protocol, "The server sent a larger packet than the channel allows.");
        _receiveWindow.Received(count);
    }

    private void RequireOpen()
    {
        if (!_confirmed || _closeReceived)
            throw new TransferException(TransferError.Protocol, "The server sent something on a channel that is not open.");
    }
}
