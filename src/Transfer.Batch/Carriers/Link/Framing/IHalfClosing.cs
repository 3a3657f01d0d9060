namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>A duplex stream that can signal the end of its writes.</summary>
internal interface IHalfClosing
{
    ValueTask EndWritesAsync(CancellationToken ct);
}
