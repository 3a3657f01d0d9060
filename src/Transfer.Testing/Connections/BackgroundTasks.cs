namespace Transfer.Testing.Connections;

/// <summary>Tasks that are awaited only at the end.</summary>
internal sealed class BackgroundTasks
{
    private readonly Lock _gate = new();
    private readonly HashSet<Task> _tasks = [];

    public void Add(Task task)
    {
        lock (_gate) _tasks.Add(task);
        task.ContinueWith(Remove, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>Waits for all tasks and throws for failed ones, which are defects of the server.</summary>
    public async Task WhenAllAsync()
    {
        while (true)
        {
            Task[] tasks;
            lock (_gate) tasks = [.. _tasks];
            if (tasks.Length == 0) return;
            await Task.WhenAll(tasks).ConfigureAwait(false);
            lock (_gate) _tasks.ExceptWith(tasks);
        }
    }

    private void Remove(Task task)
    {
        if (!task.IsCompletedSuccessfully) return;
        lock (_gate) _tasks.Remove(task);
    }
}
