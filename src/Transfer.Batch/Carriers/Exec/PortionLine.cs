namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// Files on their way from the walk of a folder to the channels that fetch them in portions. Channels differ in speed, and the job waits
/// for the last portion: portions become smaller towards the end. Thread-safe.
/// </summary>
/// <param name="lanes">The number of channels.</param>
/// <remarks>Files for a batch are small: no sum of their lengths overflows.</remarks>
internal sealed class PortionLine(int lanes)
{
    private const int Shares = 3;
    private const long LeastBytes = 256 << 10;
    private const long MostBytes = 2 << 20;
    private const int LeastFiles = 32;
    private const int MostFiles = 1000;

    // What comes last is cut small, out of so many files.
    private const int Room = 1 << 14;

    private readonly Lock _gate = new();
    private readonly Queue<ListedFile> _files = [];
    private TaskCompletionSource _changed = NewSignal();
    private long _bytes;
    private bool _isOver;
    private bool _isClosed;

    /// <summary>Adds a file, and waits for room before.</summary>
    /// <returns>False: the line is closed.</returns>
    public async ValueTask<bool> AddAsync(ListedFile file, CancellationToken ct)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
            {
                if (_isClosed) return false;
                if (_files.Count < Room)
                {
                    var wasReady = IsReadyLocked;
                    _files.Enqueue(file);
                    _bytes += file.Length;
                    if (!wasReady && IsReadyLocked) SignalLocked();
                    return true;
                }
                changed = _changed.Task;
            }
            await changed.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    /// <summary>No more files are added.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _isOver = true;
            SignalLocked();
        }
    }

    /// <summary>The next portion, once there are enough files for one; null: there will be none.</summary>
    public async ValueTask<ListedFile[]?> NextAsync(CancellationToken ct)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
            {
                if (_isClosed || _isOver && _files.Count == 0) return null;
                if (IsReadyLocked)
                {
                    var portion = CutLocked();
                    // Others wait for room, or for the rest.
                    SignalLocked();
                    return portion;
                }
                changed = _changed.Task;
            }
            await changed.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    /// <summary>Ends the line.</summary>
    /// <returns>The files that are in no portion.</returns>
    public IReadOnlyList<ListedFile> Close()
    {
        lock (_gate)
        {
            ListedFile[] left = [.. _files];
            _isClosed = true;
            _files.Clear();
            SignalLocked();
            return left;
        }
    }

    private bool IsReadyLocked => _files.Count > 0 && (_isOver || _files.Count >= LeastFiles || _bytes >= LeastBytes);

    private ListedFile[] CutLocked()
    {
        var most = Math.Clamp(_bytes / (lanes * Shares), LeastBytes, MostBytes);
        var count = Math.Clamp(_files.Count / (lanes * Shares), LeastFiles, MostFiles);
        var portion = new List<ListedFile>();
        long bytes = 0;
        while (portion.Count < count && _files.TryPeek(out var file) && (portion.Count == 0 || bytes + file.Length <= most))
        {
            portion.Add(_files.Dequeue());
            bytes += file.Length;
        }
        _bytes -= bytes;
        return [.. portion];
    }

    private void SignalLocked()
    {
        var changed = _changed;
        _changed = NewSignal();
        changed.SetResult();
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
