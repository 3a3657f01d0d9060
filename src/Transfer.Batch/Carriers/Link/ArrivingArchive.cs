namespace Transfer.Batch.Carriers.Link;

/// <summary>An archive that is being received.</summary>
internal sealed class ArrivingArchive
{
    private readonly CancellationTokenSource _end;
    private readonly TaskCompletionSource _left = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ArrivingArchive(CancellationTokenSource end) => _end = end;

    /// <summary>Stops the arrival, unless just complete, and waits for the end.</summary>
    public async ValueTask GiveWayAsync()
    {
        try
        {
            await _end.CancelAsync().ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // The arrival had ended before.
        }
        await _left.Task.ConfigureAwait(false);
    }

    /// <summary>Marks the arrival as ended.</summary>
    public void MarkEnded() => _left.TrySetResult();
}
