namespace Transfer.Sftp.Session;

/// <summary>Wakes one waiter after changes since the last wait. Several changes are one signal.</summary>
internal sealed class ChangeSignal
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _waiter;
    private bool _changed;

    public void Set()
    {
        TaskCompletionSource? waiter;
        lock (_gate)
        {
            waiter = _waiter;
            _waiter = null;
            _changed = waiter is null;
        }
        waiter?.SetResult();
    }

    public Task WaitAsync()
    {
        lock (_gate)
        {
            if (_changed)
            {
                _changed = false;
                return Task.CompletedTask;
            }
            _waiter = new(TaskCreationOptions.RunContinuationsAsynchronously);
            return _waiter.Task;
        }
    }
}
