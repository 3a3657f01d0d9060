using System.Threading.Channels;

namespace Transfer.Engine;

/// <summary>Ended items on their way from a job to a loop. The job waits while too many are unread, where it holds nothing that others need.</summary>
internal sealed class ItemLine : IProgress<ItemResult>
{
    private readonly Channel<ItemResult> _items = Channel.CreateUnbounded<ItemResult>(new() { SingleReader = true });
    private readonly Lock _gate = new();
    private readonly int _most;
    private TaskCompletionSource? _room;
    private int _unread;
    private int _taken;

    public ItemLine(int most) => _most = most;

    /// <summary>A job has it.</summary>
    public bool IsTaken => Volatile.Read(ref _taken) != 0;

    /// <summary>Items that wait to be read.</summary>
    public int Unread
    {
        get { lock (_gate) return _unread; }
    }

    /// <summary>The job waits for them to be read.</summary>
    public bool HoldsBack
    {
        get { lock (_gate) return _room is not null; }
    }

    /// <summary>A job begins to tell of its items here.</summary>
    /// <exception cref="InvalidOperationException">Another one has before.</exception>
    public void Take()
    {
        if (Interlocked.Exchange(ref _taken, 1) != 0) throw new InvalidOperationException("The items are one job's, and another one has them.");
    }

    public void Report(ItemResult value)
    {
        if (!IsTaken) throw new InvalidOperationException("The items must be the job's DirectoryJobOptions.Items themselves: nothing else can hold the job back.");
        lock (_gate) _unread++;
        _items.Writer.TryWrite(value);
    }

    /// <summary>Waits while there are too many.</summary>
    public ValueTask WhenRoomAsync(CancellationToken ct)
    {
        lock (_gate)
        {
            if (_unread < _most) return default;
            return new((_room ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task.WaitAsync(ct));
        }
    }

    /// <summary>The next item; null: there will be no more.</summary>
    public async ValueTask<ItemResult?> ReadAsync()
    {
        while (await _items.Reader.WaitToReadAsync(CancellationToken.None).ConfigureAwait(false))
        {
            if (!_items.Reader.TryRead(out var item)) continue;
            lock (_gate)
            {
                if (--_unread >= _most / 2) return item;
                _room?.SetResult();
                _room = null;
            }
            return item;
        }
        return null;
    }

    /// <summary>The job is over.</summary>
    public void Complete() => _items.Writer.TryComplete();
}
