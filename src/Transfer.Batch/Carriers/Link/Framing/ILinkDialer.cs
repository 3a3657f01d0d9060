namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>Opens the lanes of a sender.</summary>
internal interface ILinkDialer
{
    /// <summary>Opens a connection to the receiver, up to and with this side's <see cref="Messages.HelloMessage"/>.</summary>
    /// <param name="onRoundTrip">Receives the round-trip time as soon as known, so that other lanes need not wait for this one.</param>
    /// <param name="ct">Stops the attempt.</param>
    /// <exception cref="TransferException">The receiver can't be reached, or fails to prove its identity.</exception>
    ValueTask<OpenedLink> OpenAsync(Action<TimeSpan> onRoundTrip, CancellationToken ct);
}
