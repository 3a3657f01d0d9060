using System.Buffers;
using System.Buffers.Binary;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing.Connections;
using Transfer.Testing.Faults;
using Transfer.Testing.Ssh;
using Transfer.Testing.Stores;

namespace Transfer.Testing.Sftp;

/// <summary>
/// SFTP version 3 on one channel (draft-ietf-secsh-filexfer-02). Requests are executed one at a time, in the order of arrival.
/// </summary>
internal sealed class SftpService
{
    private const uint Version = 3;
    private const int LengthSize = 4;
    private const uint Failed = 255;

    private readonly SshServerCore _core;
    private readonly ServerTransport _transport;
    private readonly ServerChannel _channel;
    private readonly int _connection;
    private readonly SftpContext _context;

    public SftpService(SshServerCore core, ServerTransport transport, ServerChannel channel, int connection)
    {
        _core = core;
        _transport = transport;
        _channel = channel;
        _connection = connection;
        _context = new SftpContext { Core = core, Handles = new HandleTable(core.Options.MaxHandles) };
    }

    /// <summary>Serves until the client closes the channel, breaks the protocol, or is gone.</summary>
    public async Task RunAsync(CancellationToken ct)
    {
        // Off the reading task.
        await Task.Yield();
        await using var handles = _context.Handles.ConfigureAwait(false);
        try
        {
            await ServeAsync(ct).ConfigureAwait(false);
            _channel.Finish(0);
        }
        catch (TransferException)
        {
            // As in OpenSSH's server, an invalid request ends the channel.
            _channel.Finish(Failed);
        }
        catch (Exception e) when (Disconnect.IsDisconnect(e))
        {
            // The channel or its connection has ended.
        }
    }

    private async Task ServeAsync(CancellationToken ct)
    {
        long waiting = 0;
        while (true)
        {
            var result = await _channel.Input.ReadAsync(ct).ConfigureAwait(false);
            var buffer = result.Buffer;
            _channel.Consumed(buffer.Length - waiting);
            while (TryTake(ref buffer, out var packet)) await ServeAsync(packet, ct).ConfigureAwait(false);
            waiting = buffer.Length;
            _channel.Input.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted) return;
        }
    }

    private bool TryTake(ref ReadOnlySequence<byte> buffer, out ReadOnlySequence<byte> packet)
    {
        packet = default;
        if (buffer.Length < LengthSize) return false;
        Span<byte> head = stackalloc byte[LengthSize];
        buffer.Slice(0, LengthSize).CopyTo(head);
        var length = BinaryPrimitives.ReadUInt32BigEndian(head);
        if (length == 0 || length > _core.Options.MaxPacketLength)
            throw new TransferException(TransferError.Protocol, $"The client sent an SFTP packet of {length} bytes.");
        if (buffer.Length < LengthSize + length) return false;
        packet = buffer.Slice(LengthSize, length);
        buffer = buffer.Slice(LengthSize + length);
        return true;
    }

    private async ValueTask ServeAsync(ReadOnlySequence<byte> packet, CancellationToken ct)
    {
        if (packet.FirstSpan[0] == (byte)SftpPacketType.Init)
        {
            await GreetAsync().ConfigureAwait(false);
            return;
        }

        var length = (int)packet.Length;
        var copy = packet.IsSingleSegment ? null : ArrayPool<byte>.Shared.Rent(length);
        try
        {
            if (copy is not null) packet.CopyTo(copy);
            await ServeAsync(SftpRequest.Parse(copy is null ? packet.First : copy.AsMemory(0, length)), ct).ConfigureAwait(false);
        }
        finally
        {
            if (copy is not null) ArrayPool<byte>.Shared.Return(copy);
        }
    }

    private ValueTask GreetAsync()
    {
        var fields = _context.Reply.Begin(SftpPacketType.Version);
        fields.WriteUInt32(Version);
        foreach (var (name, version) in SftpHandlers.Extensions)
        {
            if (_core.IsDisabled(name)) continue;
            fields.WriteString(name);
            fields.WriteString(version);
        }

        return _channel.SendAsync(_context.Reply.Packet);
    }

    private async ValueTask ServeAsync(SftpRequest request, CancellationToken ct)
    {
        var path = _context.PathOf(request);
        _core.Log.Add(new TestCommand(_connection, _transport.Reads, request.Name, request.Describe(path)));
        await _core.HoldAsync(request.Name, path, ct).ConfigureAwait(false);
        if (_core.Rules.Take(FaultStage.Command, request.Name, path) is { } rule)
        {
            await PlayAsync(rule.Action, request).ConfigureAwait(false);
            return;
        }

        try
        {
            await ExecuteAsync(request, ct).ConfigureAwait(false);
        }
        catch (ContentCutException cut)
        {
            if (cut.HasReply) await _channel.SendAsync(_context.Reply.Packet).ConfigureAwait(false);
            await DropAsync(cut.Reset).ConfigureAwait(false);
        }

        await AnswerAsync(request, path).ConfigureAwait(false);
    }

    private async ValueTask ExecuteAsync(SftpRequest request, CancellationToken ct)
    {
        if (_core.IsDisabled(request.Name) || SftpHandlers.Find(request) is not { } handler)
        {
            _context.Reply.Status(request.Id, SftpTestStatus.Unsupported);
            return;
        }

        try
        {
            // A name that is no UTF-8, or an empty one where none is valid.
            if (request.Path is { Length: 0 } && request.Type != SftpPacketType.RealPath) throw SftpContext.Missing();
            await handler(_context, request, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (StoreFailure.IsStoreFailure(e))
        {
            var (status, text) = StoreStatus.Of(e);
            _context.Reply.Status(request.Id, status, text);
        }
    }

    /// <summary>Sends the reply, or a fault's replacement.</summary>
    private async ValueTask AnswerAsync(SftpRequest request, string path)
    {
        switch (_core.Rules.Take(FaultStage.Final, request.Name, path)?.Action)
        {
            case OmitReplyFault:
                return;
            case StatusFault other:
                _context.Reply.Status(request.Id, other.Status, other.Text);
                break;
            case ReplyTwiceFault:
                await _channel.SendAsync(_context.Reply.Packet).ConfigureAwait(false);
                break;
            case DropFault drop:
                await DropAsync(drop.Reset).ConfigureAwait(false);
                break;
        }

        await _channel.SendAsync(_context.Reply.Packet).ConfigureAwait(false);
    }

    private async ValueTask PlayAsync(FaultAction action, SftpRequest request)
    {
        switch (action)
        {
            case StatusFault status:
                _context.Reply.Status(request.Id, status.Status, status.Text);
                await _channel.SendAsync(_context.Reply.Packet).ConfigureAwait(false);
                break;
            case GarbageFault garbage:
                await _channel.SendAsync(garbage.Bytes).ConfigureAwait(false);
                break;
            case DropFault drop:
                await DropAsync(drop.Reset).ConfigureAwait(false);
                break;
        }
    }

    private async ValueTask DropAsync(bool reset)
    {
        await _transport.DropAsync(reset).ConfigureAwait(false);
        throw new ConnectionLostException();
    }
}
