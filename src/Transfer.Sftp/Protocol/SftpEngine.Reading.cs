using System.Buffers;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

internal sealed partial class SftpEngine
{
    // STATUS, HANDLE and ATTRS are small; on the stack when the pipe has cut them in two.
    private const int Scratch = 512;

    /// <summary>
    /// Runs once, when a reply comes behind that to a later request: the server runs requests at once, and those that build upon others
    /// have to wait for these.
    /// </summary>
    public Action? Unordered { get; set; }

    /// <summary>Runs at each reply to SETSTAT or FSETSTAT.</summary>
    public Action<SftpPacketType>? AttributesAnswered { get; set; }

    /// <summary>
    /// Runs when the session ends at SETSTAT or FSETSTAT: false, because it got no reply, while a later request did; true, since the
    /// server ended the session, or answered nothing more.
    /// </summary>
    public Action<SftpPacketType, bool>? AttributesUnanswered { get; set; }

    private async Task ReadAsync()
    {
        var input = _channel.Input;
        try
        {
            while (Fault is null)
            {
                var result = await input.ReadAsync().ConfigureAwait(false);
                Volatile.Write(ref _heardAt, _watch.Touch());
                var buffer = result.Buffer;
                if (!_version.Task.IsCompleted) ShellText.ThrowIfAny(buffer, _channel.Show);
                while (SftpFraming.TryTake(ref buffer, out var packet)) Receive(packet);
                input.AdvanceTo(buffer.Start, buffer.End);
                if (!result.IsCompleted) continue;
                throw Closed(buffer.IsEmpty ? string.Empty : " in the middle of a packet");
            }
        }
        catch (Exception e)
        {
            SftpPacketType? oldest;
            lock (_gate) oldest = _fault is null ? _table.FindOldest(out _)?.Type : null;
            if (oldest is SftpPacketType.SetStat or SftpPacketType.FSetStat) AttributesUnanswered?.Invoke(oldest.Value, true);
            Fail(Reason(e));
        }
    }

    private static TransferConnectionException Reason(Exception e) => e switch
    {
        TransferConnectionException lost => lost,
        TransferException wrong => new TransferConnectionException(wrong.Error, wrong.Message, wrong),
        _ => new TransferConnectionException($"Receiving failed: {e.Message}", e),
    };

    private void Receive(in ReadOnlySequence<byte> packet)
    {
        if (!_version.Task.IsCompleted)
        {
            _version.TrySetResult(SftpVersion.Parse(packet.ToArray()));
            OnReplyDone();
            return;
        }
        Span<byte> head = stackalloc byte[5];
        if (packet.Length < head.Length)
            throw new TransferException(TransferError.Protocol, "The server sent an SFTP packet that is too short.");
        packet.Slice(0, head.Length).CopyTo(head);
        var reader = new SshReader(head);
        var type = (SftpPacketType)reader.ReadByte();
        var id = reader.ReadUInt32();
        SftpRequest? request;
        bool isOvertaken, isExpected;
        lock (_gate) request = _table.Take(id, out isOvertaken, out isExpected);
        if (request is null)
            throw new TransferException(TransferError.Protocol, $"The server answered request {id}, which is not under way.");
        if (isOvertaken) TellUnordered();
        SftpReply reply;
        try
        {
            reply = Parse(request, type, packet.Slice(head.Length));
        }
        catch (Exception e)
        {
            // The request is in no table any more: nothing else would end the wait.
            var reason = Reason(e);
            request.Fail(reason);
            throw reason;
        }
        if (isExpected) OnReplyDone();
        if (request.Type is SftpPacketType.SetStat or SftpPacketType.FSetStat) AttributesAnswered?.Invoke(request.Type);
        SftpTrace.Received(_logger, type, id, reply);
        if (request.IsDetached) Recycle(request);
        else if (!isExpected || !request.TryComplete(reply)) Discard(reply);
    }

    // Before the reply is handed on: a refusal is judged by this.
    private void TellUnordered()
    {
        Unordered?.Invoke();
        Unordered = null;
    }

    private SftpReply Parse(SftpRequest request, SftpPacketType type, ReadOnlySequence<byte> fields)
    {
        if (type != SftpPacketType.Status && type != request.ReplyType)
            throw new TransferException(TransferError.Protocol, $"The server answered {request.Type} with {type}.");
        switch (type)
        {
            case SftpPacketType.Data:
                return ParseData(request, fields);
            case SftpPacketType.Name or SftpPacketType.ExtendedReply:
                return Copy(fields);
        }
        if (fields.IsSingleSegment) return ParseSmall(request, type, fields.FirstSpan);
        if (fields.Length > Scratch) return ParseSmall(request, type, fields.ToArray());
        Span<byte> scratch = stackalloc byte[(int)fields.Length];
        fields.CopyTo(scratch);
        return ParseSmall(request, type, scratch);
    }

    private SftpReply ParseSmall(SftpRequest request, SftpPacketType type, ReadOnlySpan<byte> fields)
    {
        var reader = new SshReader(fields);
        switch (type)
        {
            case SftpPacketType.Handle:
                var handle = reader.ReadString();
                // draft-ietf-secsh-filexfer-02 section 6.2
                return handle.Length <= 256
                    ? new() { Handle = handle.ToArray() }
                    : throw new TransferException(TransferError.Protocol, $"The server gave a handle of {handle.Length} bytes.");
            case SftpPacketType.Attributes:
                return new() { Attributes = SftpAttributes.Read(ref reader) };
            default:
                var status = (SftpStatus)reader.ReadUInt32();
                if (status is SftpStatus.NoConnection or SftpStatus.ConnectionLost)
                {
                    throw new TransferConnectionException(TransferError.Lost,
                        $"The server has lost its own connection (status {(uint)status}).");
                }

                if (status == SftpStatus.Ok && request.ReplyType != SftpPacketType.Status)
                    throw new TransferException(TransferError.Protocol, $"The server answered {request.Type} with OK and nothing else.");
                // Message and language are missing at some servers.
                var text = status is SftpStatus.Ok or SftpStatus.EndOfFile || reader.Rest.IsEmpty
                    ? null : _channel.Show(reader.ReadText());
                return new() { Status = status, Text = text };
        }
    }

    private SftpReply ParseData(SftpRequest request, ReadOnlySequence<byte> fields)
    {
        Span<byte> head = stackalloc byte[4];
        if (fields.Length < 4) throw new TransferException(TransferError.Protocol, "A DATA packet ends before its length.");
        fields.Slice(0, 4).CopyTo(head);
        var count = new SshReader(head).ReadUInt32();
        if (count > (uint)request.RequestedBytes || count > fields.Length - 4)
        {
            throw new TransferException(TransferError.Protocol,
                $"The server's DATA says {count} bytes and has {fields.Length - 4}, where {request.RequestedBytes} at most were requested.");
        }

        return request.IsAbandoned ? default : Copy(fields.Slice(4, count));
    }

    private SftpReply Copy(in ReadOnlySequence<byte> bytes)
    {
        var buffer = Buffers.Rent((int)bytes.Length);
        bytes.CopyTo(buffer);
        return new() { Buffer = buffer, Count = (int)bytes.Length };
    }

    // The waiter has gone. A handle that the server opened must not stay open.
    private void Discard(in SftpReply reply)
    {
        Buffers.Return(reply.Buffer);
        if (reply.Handle is not { } handle) return;
        Log.LateHandleClosed(_logger);
        var close = Rent(SftpPacketType.Close, SftpPacketType.Status);
        close.Fields.WriteString(handle);
        Post(close);
    }
}
