using System.Buffers;
using System.IO.Pipelines;
using Transfer.Sftp.Ssh.Channels;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing.Connections;

namespace Transfer.Testing.Ssh;

/// <summary>
/// A session channel on the server's side (RFC 4254 section 5). The <c>On…</c> members belong to the reading task, the others to the
/// serving task.
/// </summary>
internal sealed class ServerChannel : ISendWaiter
{
    private readonly ServerTransport _transport;
    private readonly ReceiveWindow _receiveWindow;
    private readonly SendWindow _sendWindow = new();
    private readonly AsyncSignal _signal = new();
    private readonly Lock _gate = new();

    // Bounded by the window: more arrives only after this was read.
    private readonly Pipe _received = new(new PipeOptions(pauseWriterThreshold: 0, useSynchronizationContext: false));
    private readonly int _maxData;
    private bool _closeSent;
    private volatile bool _hasEnded;

    public ServerChannel(ServerTransport transport, uint localId, ref SshReader open, int window)
    {
        _transport = transport;
        LocalId = localId;
        RemoteId = open.ReadUInt32();
        _sendWindow.Add(open.ReadUInt32());
        _maxData = (int)Math.Min(open.ReadUInt32(), PacketLimits.MaxSendData);
        if (_maxData == 0)
            throw new TransferException(TransferError.Protocol, "The client opened a channel on which no packet may hold anything.");
        _receiveWindow = new ReceiveWindow(window);
    }

    public uint LocalId { get; }

    public uint RemoteId { get; }

    /// <summary>The bytes of the client, up to the client's EOF or the end of the channel or connection.</summary>
    public PipeReader Input => _received.Reader;

    /// <summary>The serving task, once a request has started one.</summary>
    public Task? Serving { get; set; }

    public void OnData(ReadOnlySpan<byte> data)
    {
        if (data.Length > PacketLimits.MaxReceiveData)
            throw new TransferException(TransferError.Protocol, "The client sent a larger packet than the channel allows.");
        _receiveWindow.Received(data.Length);
        if (_hasEnded)
        {
            Consumed(data.Length);
            return;
        }

        _received.Writer.Write(data);

        // Never waits: the pipe has no threshold.
        var flushing = _received.Writer.FlushAsync(CancellationToken.None);
        if (flushing.IsCompleted) _ = flushing.Result;
    }

    public void OnWindowAdjust(uint count)
    {
        _sendWindow.Add(count);
        _signal.Set();
    }

    public void OnEof() => _received.Writer.Complete();

    /// <summary>Ends the channel: the client has closed it, or the connection has ended.</summary>
    public void OnEnd()
    {
        _hasEnded = true;
        _received.Writer.Complete();
        _signal.Set();
    }

    /// <summary>Returns bytes of <see cref="Input"/> to the window: the client may send as many more.</summary>
    public void Consumed(long count)
    {
        var back = _receiveWindow.Read(count);
        if (back > 0 && !_hasEnded) _transport.Send(ChannelMessages.WindowAdjust(RemoteId, back));
    }

    /// <summary>Sends data as the client's window opens.</summary>
    /// <exception cref="ConnectionLostException">The channel or its connection has ended.</exception>
    public async ValueTask SendAsync(ReadOnlyMemory<byte> data)
    {
        while (!data.IsEmpty)
        {
            if (_hasEnded) throw new ConnectionLostException();
            var count = (int)Math.Min(Math.Min(data.Length, _maxData), _sendWindow.Open);
            if (count > 0 && _transport.Writer.TrySendData(RemoteId, data.Span[..count], this))
            {
                _sendWindow.Use(count);
                data = data[count..];
                continue;
            }

            await _signal.WaitAsync().ConfigureAwait(false);
        }
    }

    public void TrySendAgain() => _signal.Set();

    public void Reply(bool success) =>
        _transport.Send(ChannelMessages.Short(success ? MessageNumber.ChannelSuccess : MessageNumber.ChannelFailure, RemoteId));

    /// <summary>Ends the channel with an exit status (RFC 4254 section 6.10).</summary>
    public void Finish(uint exitStatus)
    {
        var status = new ArrayBufferWriter<byte>(32);
        status.WriteByte(MessageNumber.ChannelRequest);
        status.WriteUInt32(RemoteId);
        status.WriteString("exit-status"u8);
        status.WriteBoolean(false);
        status.WriteUInt32(exitStatus);
        lock (_gate)
        {
            if (_closeSent || _hasEnded) return;
        }

        _transport.Send(status.WrittenSpan);
        _transport.Send(ChannelMessages.Short(MessageNumber.ChannelEof, RemoteId));
        Close();
    }

    public void Close()
    {
        lock (_gate)
        {
            if (_closeSent) return;
            _closeSent = true;
        }

        _transport.Send(ChannelMessages.Short(MessageNumber.ChannelClose, RemoteId));
    }
}
