namespace Transfer.Pooling;

/// <summary>Writes in the background, one after the other. Thread-safe.</summary>
internal sealed class BackgroundWrites
{
    private readonly Lock _gate = new();
    private Task _last = Task.CompletedTask;

    /// <summary>Completes when all writes added so far are done.</summary>
    public Task Done
    {
        get
        {
            lock (_gate) return _last;
        }
    }

    /// <summary>Adds a write, which handles its own errors.</summary>
    public void Add(Action write)
    {
        lock (_gate) _last = RunAsync(_last, write);
    }

    private static async Task RunAsync(Task before, Action write)
    {
        await before.ConfigureAwait(false);
        await Task.Run(write).ConfigureAwait(false);
    }
}
