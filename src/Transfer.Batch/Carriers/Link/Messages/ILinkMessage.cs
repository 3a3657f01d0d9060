namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>A message of the link protocol: a pure function from the payload and back.</summary>
/// <typeparam name="TSelf">The message itself.</typeparam>
internal interface ILinkMessage<TSelf>
    where TSelf : ILinkMessage<TSelf>
{
    static abstract LinkMessageType Type { get; }

    /// <summary>The length of the payload in bytes.</summary>
    int Length { get; }

    /// <summary>Writes the payload; <paramref name="to"/> has <see cref="Length"/> bytes.</summary>
    void Write(Span<byte> to);

    /// <summary>Parses a payload.</summary>
    /// <exception cref="TransferException">The payload is malformed (<see cref="TransferError.Protocol"/>).</exception>
    static abstract TSelf Parse(ReadOnlySpan<byte> payload);
}
