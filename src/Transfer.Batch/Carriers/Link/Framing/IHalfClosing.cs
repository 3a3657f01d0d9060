namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>A stream both ways that can say that nothing more will be written.</summary>
internal interface IHalfClosing
{
    ValueTask EndWritesAsync(CancellationToken ct);
}
