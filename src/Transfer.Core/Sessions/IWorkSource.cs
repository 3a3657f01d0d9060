namespace Transfer.Sessions;

/// <summary>The source of work for sessions.</summary>
public interface IWorkSource
{
    /// <summary>
    /// Takes up to <paramref name="into"/>'s length of items, in order, never more than a fair share: min(requested, ceil(remaining /
    /// sessions)). Large files come alone. 0: no work for this session now; the session should finish and complete its items and return
    /// from <see cref="TransferSession.RunAsync"/>. If the returned task is not complete at once, a session must finish its open items
    /// before awaiting the task.
    /// </summary>
    ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop);

    /// <summary>Whether more items wait at the moment, for this session or another: preparing for the next item is worthwhile.</summary>
    bool MayHaveMore => false;

    /// <summary>
    /// Completes when items may have come since the last take, for a session that got none and still has items open. Never completes if the
    /// source has all items from the beginning.
    /// </summary>
    Task WhenMoreAsync() => Task.Delay(Timeout.InfiniteTimeSpan);
}
