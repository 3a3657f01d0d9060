namespace Transfer.Testing;

/// <summary>A fault that was scripted with <see cref="FtpFaults"/> or <see cref="SftpFaults"/>.</summary>
public sealed class TestFault
{
    private readonly TaskCompletionSource _fired = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _count;

    internal TestFault()
    {
    }

    /// <summary>The number of times that the fault has struck.</summary>
    public int Fired => Volatile.Read(ref _count);

    /// <summary>Completes when the fault strikes for the first time.</summary>
    public Task FirstFired => _fired.Task;

    internal Task Released => _released.Task;

    /// <summary>Releases the commands that the fault stalls, now and later, and ends the fault.</summary>
    public void Release() => _released.TrySetResult();

    internal void Strike()
    {
        Interlocked.Increment(ref _count);
        _fired.TrySetResult();
    }
}
