namespace Transfer.Testing.Sftp;

/// <summary>The handles of one channel. A new one gets the number returned last, else the next from 0, as with OpenSSH.</summary>
internal sealed class HandleTable(int most) : IAsyncDisposable
{
    private readonly List<OpenHandle?> _handles = [];
    private readonly Stack<int> _free = [];

    public bool IsFull => _handles.Count - _free.Count >= most;

    public uint Add(OpenHandle handle)
    {
        if (_free.TryPop(out var number))
        {
            _handles[number] = handle;
            return (uint)number;
        }

        _handles.Add(handle);
        return (uint)_handles.Count - 1;
    }

    public OpenHandle? Find(uint number) => number < _handles.Count ? _handles[(int)number] : null;

    /// <summary>Takes a handle out; the caller disposes of it.</summary>
    public OpenHandle? Take(uint number)
    {
        if (Find(number) is not { } handle) return null;
        _handles[(int)number] = null;
        _free.Push((int)number);
        return handle;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var handle in _handles)
        {
            if (handle is not null) await handle.DisposeAsync().ConfigureAwait(false);
        }
    }
}
