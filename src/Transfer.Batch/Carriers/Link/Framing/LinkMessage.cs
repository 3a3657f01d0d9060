using System.Buffers;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>A message that has come; its payload is the reader's until the next one is read.</summary>
internal readonly record struct LinkMessage(LinkMessageType Type, ReadOnlySequence<byte> Payload)
{
    /// <summary>Reads the payload as what it must be here.</summary>
    /// <exception cref="TransferException">It is another message or malformed (<see cref="TransferError.Protocol"/>), or it is the other side's error.</exception>
    public T As<T>()
        where T : ILinkMessage<T>
    {
        if (Type == T.Type) return Payload.IsSingleSegment ? T.Parse(Payload.FirstSpan) : T.Parse(Payload.ToArray());
        throw Type == LinkMessageType.Error ? Refusal() : new TransferException(TransferError.Protocol, $"The other side sent a message of type {Type} where {T.Type} was due.");
    }

    /// <summary>The other side's error.</summary>
    public TransferConnectionException Refusal()
    {
        var error = As<ErrorMessage>();
        return new TransferConnectionException(error.Error, $"The other side says: {error.Reason}");
    }
}
