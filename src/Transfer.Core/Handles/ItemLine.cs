using System.Threading.Channels;

namespace Transfer.Handles;

/// <summary>Ended items on their way from a job to a reader. The job waits while too many are unread, where it holds no resource that other
/// jobs need.</summary>
internal sealed class ItemLine : IProgress<ItemResult>
{
    private readonly Channel<ItemResult> _items = Channel.CreateUnbounded<ItemResult>(new() { SingleReader = true });
    private readonly Lock _gate = new();
    private readonly int _most;
    private TaskCompletionSource? _room;
    private int _unread;
    private bool _isClosed;

    public ItemLine(int most) => _most = most;

    /// <summary>The number of items that wait to be read.</summary>
    public int Unread
    {
        get { lock (_gate) return _unread; }
    }

    /// <summary>Whether <see cref="WhenRoomAsync"/> would not wait.</summary>
    public bool HasRoom
    {
        get { lock (_gate) return HasRoomLocked; }
    }

    private bool HasRoomLocked => _unread < _most || _isClosed;

    /// <summary>Whether the job waits for items to be read.</summary>
    public bool IsJobWaiting
    {
        get { lock (_gate) return _room is not null; }
    }

    public void Report(ItemResult value)
    {
        lock (_gate)
        {
            if (_isClosed) return;
            _unread++;
        }
        _items.Writer.TryWrite(value);
    }

    /// <summary>Waits while too many items are unread.</summary>
    public ValueTask WhenRoomAsync(CancellationToken ct)
    {
        lock (_gate)
        {
            if (HasRoomLocked) return default;
            return new((_room ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task.WaitAsync(ct));
        }
    }

    /// <summary>The next item; null: there will be no more.</summary>
    public async ValueTask<ItemResult?> ReadAsync(CancellationToken ct = default)
    {
        while (await _items.Reader.WaitToReadAsync(ct).ConfigureAwait(false))
        {
            if (!_items.Reader.TryRead(out var item)) continue;
            lock (_gate)
            {
                if (--_unread < _most / 2) MakeRoomLocked();
            }
            return item;
        }
        return null;
    }

    /// <summary>Ends the line at the end of the job.</summary>
    public void Complete() => _items.Writer.TryComplete();

    /// <summary>Ends the line when the reader is gone: no items are kept any more, and none hold the job back.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            MakeRoomLocked();
        }
        while (_items.Reader.TryRead(out _))
        {
            // Drops the items kept for the reader.
        }
    }

    private void MakeRoomLocked()
    {
        _room?.SetResult();
        _room = null;
    }
}
