namespace Transfer.Batch.Carriers.Link;

/// <summary>An archive that is being received.</summary>
internal sealed class ArrivingArchive
{
    private readonly CancellationTokenSource _end;
    private readonly TaskCompletionSource _left = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ArrivingArchive(CancellationTokenSource end) => _end = end;

    /// <summary>Gives it up, unless it is just done, and waits until it is over.</summary>
    public async ValueTask GiveWayAsync()
    {
        try
        {
            await _end.CancelAsync().ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // It was over before.
        }
        await _left.Task.ConfigureAwait(false);
    }

    /// <summary>It is over.</summary>
    public void Leave() => _left.TrySetResult();
}
