namespace Transfer.Sessions;

/// <summary>Where sessions take their work from.</summary>
public interface IWorkSource
{
    /// <summary>
    /// Takes up to <paramref name="into"/>'s length of items, in order, never more than a fair share: min(asked, ceil(remaining / sessions)).
    /// Large files come alone. 0: nothing to do for this session now; it should finish what it has, complete its items and return from
    /// <see cref="TransferSession.RunAsync"/>. If the returned task is not complete at once, a session must bring its open items to
    /// their end before it awaits it.
    /// </summary>
    ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop);

    /// <summary>More than was taken waits at the moment, though another session may be the one that gets it: it is worth having the way ready for the next item.</summary>
    bool MayHaveMore => false;

    /// <summary>
    /// Completes when something may have come since the last take, for a session that got nothing and still has items open. A source that has all its
    /// items from the beginning never completes it.
    /// </summary>
    Task WhenMoreAsync() => Task.Delay(Timeout.InfiniteTimeSpan);
}
