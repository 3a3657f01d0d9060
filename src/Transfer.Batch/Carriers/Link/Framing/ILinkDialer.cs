namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>Opens the lanes of a sender.</summary>
internal interface ILinkDialer
{
    /// <summary>Opens a connection to the receiver, up to and with this side's <see cref="Messages.HelloMessage"/>.</summary>
    /// <param name="onRoundTrip">Is told how long a round trip takes as soon as that is known, so that other lanes need not wait for this one.</param>
    /// <param name="ct">Gives it up.</param>
    /// <exception cref="TransferException">It can't be reached, or is not who it should be.</exception>
    ValueTask<OpenedLink> OpenAsync(Action<TimeSpan> onRoundTrip, CancellationToken ct);
}
