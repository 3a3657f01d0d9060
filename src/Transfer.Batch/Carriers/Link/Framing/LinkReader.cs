using System.IO.Pipelines;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>Takes messages off a connection, one after the other. Not thread-safe.</summary>
internal sealed class LinkReader
{
    private readonly PipeReader _pipe;
    private SequencePosition? _read;

    public LinkReader(PipeReader pipe) => _pipe = pipe;

    /// <summary>The longest payload that is taken now.</summary>
    public int MaxPayload { get; set; } = LinkFrame.MaxUnprovedPayload;

    /// <summary>Returns the next message other than a ping. Null: the other side has ended, between two messages.</summary>
    /// <exception cref="TransferConnectionException">The connection is lost or ends within a message.</exception>
    /// <exception cref="TransferException">The bytes are no message (<see cref="TransferError.Protocol"/>).</exception>
    public async ValueTask<LinkMessage?> ReadAsync(CancellationToken ct)
    {
        while (true)
        {
            Forget();
            var result = await _pipe.ReadAsync(ct).ConfigureAwait(false);
            var buffer = result.Buffer;
            // After a refusal the caller may discard further input, which an unfinished read would prevent.
            _read = buffer.Start;
            if (LinkFrame.TryRead(ref buffer, MaxPayload, out var type, out var payload))
            {
                _read = buffer.Start;
                if (type == LinkMessageType.Ping) continue;
                return new LinkMessage(type, payload);
            }
            if (result.IsCompleted)
            {
                if (result.Buffer.IsEmpty) return null;
                throw new TransferConnectionException(TransferError.Lost, "The other side ended the connection within a message.");
            }
            _read = null;
            _pipe.AdvanceTo(buffer.Start, buffer.End);
        }
    }

    /// <summary>As <see cref="ReadAsync"/>, where the other side may not end.</summary>
    public async ValueTask<LinkMessage> NextAsync(CancellationToken ct) =>
        await ReadAsync(ct).ConfigureAwait(false) ?? throw new TransferConnectionException(TransferError.Lost,
            "The other side ended the connection.");

    /// <summary>Discards received bytes; false: the input has ended.</summary>
    public async ValueTask<bool> ForgetAsync(CancellationToken ct)
    {
        Forget();
        var result = await _pipe.ReadAsync(ct).ConfigureAwait(false);
        _pipe.AdvanceTo(result.Buffer.End);
        return !result.IsCompleted;
    }

    private void Forget()
    {
        if (_read is not { } read) return;
        _pipe.AdvanceTo(read);
        _read = null;
    }
}
