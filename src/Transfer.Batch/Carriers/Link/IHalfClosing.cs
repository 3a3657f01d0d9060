namespace Transfer.Batch.Carriers.Link;

/// <summary>A stream both ways that can say that nothing more will be written.</summary>
internal interface IHalfClosing
{
    ValueTask EndWritesAsync(CancellationToken ct);
}
