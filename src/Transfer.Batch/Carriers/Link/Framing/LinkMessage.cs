using System.Buffers;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>A received message; the payload is valid until the next one is read.</summary>
internal readonly record struct LinkMessage(LinkMessageType Type, ReadOnlySequence<byte> Payload)
{
    /// <summary>Parses the payload as the expected message.</summary>
    /// <exception cref="TransferException">The message is another one or malformed (<see cref="TransferError.Protocol"/>), or is the other
    /// side's error.</exception>
    public T As<T>()
        where T : ILinkMessage<T>
    {
        if (Type == T.Type) return Payload.IsSingleSegment ? T.Parse(Payload.FirstSpan) : T.Parse(Payload.ToArray());
        throw Type == LinkMessageType.Error
            ? Refusal() : new TransferException(TransferError.Protocol,
                $"The other side sent a message of type {Type} where {T.Type} was due.");
    }

    /// <summary>The other side's error.</summary>
    public TransferConnectionException Refusal()
    {
        var error = As<ErrorMessage>();
        return new TransferConnectionException(error.Error, $"The other side says: {error.Reason}");
    }
}
