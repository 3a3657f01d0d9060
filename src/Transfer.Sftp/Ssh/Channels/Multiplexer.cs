using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>The connection protocol (RFC 4254): several channels over one transport. Its task is the connection's one reader.</summary>
internal sealed class Multiplexer
{
    private readonly SshTransport _transport;
    private readonly SshConnectionSettings _settings;
    private readonly Lock _gate = new();
    private readonly Dictionary<uint, OpenChannel> _channels = [];
    private readonly List<OpenChannel> _touched = [];
    private uint _nextId;

    public Multiplexer(SshTransport transport, SshConnectionSettings settings, TimeSpan roundTrip)
    {
        _transport = transport;
        _settings = settings;
        RoundTrip = roundTrip;
    }

    /// <summary>The path's round trip, measured during connecting; zero when unknown.</summary>
    public TimeSpan RoundTrip { get; }

    /// <summary>Reads until the connection has ended, then ends all channels.</summary>
    public async Task RunAsync()
    {
        // Set only now: a keep-alive during the log-in would break the protocol.
        _transport.KeepAlive = () => _transport.Send(ChannelMessages.KeepAlive());
        try
        {
            while (true)
            {
                while (_transport.TryReceive(out var message)) Dispatch(message.Span);
                FlushTouched();
                await _transport.WaitAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }
#pragma warning disable CA1031 // Whatever ends the reading ends the connection: it is handed to everybody who waits.
        catch (Exception e)
#pragma warning restore CA1031
        {
            _transport.Fail(e);
        }

        _transport.EndReading();
        OpenChannel[] left;
        lock (_gate)
        {
            left = [.. _channels.Values];
            _channels.Clear();
        }

        foreach (var channel in left) channel.OnLost(_transport.Failure!);
    }

    /// <summary>Opens a channel: one round trip.</summary>
    public async ValueTask<OpenChannel> OpenAsync(string type, Action<System.Buffers.IBufferWriter<byte>>? details, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var channel = SendOpen(type, details);

        // The reading task may have ended all channels just before this one was added.
        if (_transport.Failure is { } lost) channel.OnLost(lost);
        try
        {
            await channel.Opened.WaitAsync(ct).ConfigureAwait(false);
            return channel;
        }
        catch (OperationCanceledException)
        {
            channel.Abandon();
            throw;
        }
    }

    /// <summary>
    /// Opens a subsystem's channel without any wait, as the first channel of the connection. See <see cref="OpenChannel.BeginEarly"/>.
    /// </summary>
    public OpenChannel OpenEarly(string subsystem)
    {
        var channel = SendOpen("session", null);
        channel.BeginEarly(subsystem);
        return channel;
    }

    /// <summary>Ends an early channel that the server has not taken, and will not.</summary>
    public void GiveUpEarly(OpenChannel channel, TransferConnectionException reason)
    {
        Remove(channel);
        channel.GiveUpEarly(reason);
    }

    private OpenChannel SendOpen(string type, Action<System.Buffers.IBufferWriter<byte>>? details)
    {
        OpenChannel channel;
        lock (_gate)
        {
            if (_transport.Failure is { } failure) throw failure;
            channel = new OpenChannel(_nextId++, _transport, _settings.Segments, _settings) { RoundTrip = RoundTrip };
            _channels.Add(channel.LocalId, channel);
        }

        var open = ChannelMessages.Open(type, channel.LocalId, (uint)_settings.ReceiveWindow);
        details?.Invoke(open);
        _transport.Send(open.WrittenSpan);
        return channel;
    }

    private void Dispatch(ReadOnlySpan<byte> message)
    {
        var number = message[0];
        var reader = new SshReader(message[1..]);
        switch (number)
        {
            case MessageNumber.ChannelData:
                var channel = Find(reader.ReadUInt32());
                if (channel.OnData(reader.ReadString()) && !_touched.Contains(channel)) _touched.Add(channel);
                break;
            case MessageNumber.ChannelWindowAdjust:
                Find(reader.ReadUInt32()).OnWindowAdjust(reader.ReadUInt32());
                break;
            case MessageNumber.ChannelExtendedData:
                Find(reader.ReadUInt32()).OnExtendedData(ref reader);
                break;
            case MessageNumber.ChannelOpenConfirmation:
                Find(reader.ReadUInt32()).OnConfirmed(ref reader);
                break;
            case MessageNumber.ChannelOpenFailure:
                var refused = Find(reader.ReadUInt32());
                refused.OnRefused(ref reader);
                Remove(refused);
                break;
            case MessageNumber.ChannelEof:
                var ended = Find(reader.ReadUInt32());
                ended.Flush();
                ended.OnEof();
                break;
            case MessageNumber.ChannelClose:
                var closed = Find(reader.ReadUInt32());
                closed.Flush();
                closed.OnClose();
                Remove(closed);
                break;
            case MessageNumber.ChannelRequest:
                Find(reader.ReadUInt32()).OnRequest(ref reader);
                break;
            case MessageNumber.ChannelSuccess:
            case MessageNumber.ChannelFailure:
                Find(reader.ReadUInt32()).OnReply(number == MessageNumber.ChannelSuccess);
                break;
            case MessageNumber.ChannelOpen:
                reader.ReadString();
                _transport.Send(ChannelMessages.OpenFailure(reader.ReadUInt32()));
                break;
            case MessageNumber.GlobalRequest:
                OnGlobalRequest(ref reader);
                break;
            case MessageNumber.RequestSuccess:
            case MessageNumber.RequestFailure:
                // The answer to a keep-alive has no content: the arrival is enough.
                break;
            default:
                _transport.SendUnimplemented();
                break;
        }
    }

    /// <summary>
    /// Refuses all global requests, since none is known here: for a keep-alive the refusal is the sign of life (RFC 4254 section 4).
    /// </summary>
    private void OnGlobalRequest(ref SshReader reader)
    {
        reader.ReadString();
        if (reader.ReadBoolean()) _transport.Send([MessageNumber.RequestFailure]);
    }

    private OpenChannel Find(uint id)
    {
        lock (_gate)
        {
            return _channels.TryGetValue(id, out var channel) ? channel
                : throw new TransferException(TransferError.Protocol, $"The server speaks of channel {id}, which is not open.");
        }
    }

    private void Remove(OpenChannel channel)
    {
        lock (_gate)
            _channels.Remove(channel.LocalId);
    }

    private void FlushTouched()
    {
        foreach (var channel in _touched) channel.Flush();
        _touched.Clear();
    }
}
