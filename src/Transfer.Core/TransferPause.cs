namespace Transfer;

/// <summary>
/// Holds what clients move, and lets it go on: give one to <see cref="TransferClientOptions.Pause"/>, of several clients if they are to pause together. Thread-safe.
/// </summary>
/// <remarks>
/// While it is paused no file begins and no content moves; what is under way waits where it stands, with its session. Nothing times out here for that.
/// A server may have its own idea of how long a transfer may stand still, and end it: then it is tried again, as after any loss.
/// Listings, and whatever else moves no content, go on as long as a session is free for them.
/// </remarks>
public sealed class TransferPause
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _paused;

    /// <summary>Nothing moves now.</summary>
    public bool IsPaused => Volatile.Read(ref _paused) is not null;

    /// <summary>Stops what moves. Up to a buffer a file may still arrive.</summary>
    public void Pause()
    {
        lock (_gate) _paused ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    /// <summary>Lets it go on.</summary>
    public void Resume()
    {
        TaskCompletionSource? paused;
        lock (_gate) (paused, _paused) = (_paused, null);
        paused?.SetResult();
    }

    /// <summary>Ends as soon as it is not paused.</summary>
    internal Task WhenRunning => Volatile.Read(ref _paused)?.Task ?? Task.CompletedTask;
}
