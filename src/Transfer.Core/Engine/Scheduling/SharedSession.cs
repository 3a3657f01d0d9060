using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>A session on which several directories are listed at the same time. Not thread-safe, apart from the two ends.</summary>
internal sealed class SharedSession : IDisposable
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _unwanted = new();
    private TransferSession? _session;

    /// <summary>The session, once open.</summary>
    public TransferSession Session => _session ?? throw new InvalidOperationException("The session is not open yet.");

    /// <summary>Whether the session is open.</summary>
    public bool IsOpen => _session is not null;

    /// <summary>The number of listings that are under way.</summary>
    public int Users { get; private set; }

    /// <summary>The number of listings that were begun.</summary>
    public int Begun { get; private set; }

    /// <summary>Whether no listing begins any more.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Whether the session has no listings any more, and is about to be returned.</summary>
    public bool IsEnding => IsClosed && IsOpen && Users == 0;

    /// <summary>Whether one more listing may begin, of a kind: <paramref name="finds"/>: presence suffices.</summary>
    public bool HasPlaceFor(bool finds) => !IsClosed && _session is { Features: var features }
        && Users < (finds ? Math.Max(features.ListsTogether, features.FindsTogether) : features.ListsTogether);

    /// <summary>Completes when the session can be returned.</summary>
    public Task WhenEnded => _ended.Task;

    /// <summary>Fires when the session is no longer wanted, before it is open.</summary>
    public CancellationToken Unwanted => _unwanted.Token;

    public void Open(TransferSession session) => _session = session;

    public void Begin()
    {
        Users++;
        Begun++;
    }

    public void End()
    {
        Users--;
        if (_session is { Usable: false }) Close();
    }

    public void Close() => IsClosed = true;

    /// <summary>Ends the session when there are no listings: none under way, and none that wait for a place.</summary>
    /// <param name="hasWaiting">Whether listings wait.</param>
    public void EndIfIdle(bool hasWaiting)
    {
        if (Users > 0 || hasWaiting && !IsClosed) return;
        Close();
        _ended.TrySetResult();
        if (_session is null) _ = _unwanted.CancelAsync();
    }

    public void Dispose() => _unwanted.Dispose();
}
