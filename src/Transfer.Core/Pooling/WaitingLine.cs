using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>
/// The waiters, first come first served, and which opening runs for whom. An opening whose waiter has gone goes on, and
/// is taken over by the next waiter that has none. Not thread-safe: the pool's lock guards it.
/// </summary>
internal sealed class WaitingLine
{
    private readonly LinkedList<Waiter> _waiters = new();
    private readonly List<Opening> _orphans = [];

    public int Count => _waiters.Count;

    /// <summary>An opening is under way that nobody waits for.</summary>
    public bool HasOrphans => _orphans.Count > 0;

    public Waiter Add()
    {
        var waiter = new Waiter();
        _waiters.AddLast(waiter.Node);
        return waiter;
    }

    /// <summary>Takes a waiter out; false when it is not in the line any more.</summary>
    public bool Remove(Waiter waiter)
    {
        if (waiter.Node.List is null) return false;
        _waiters.Remove(waiter.Node);
        if (waiter.Opening is { } opening)
        {
            opening.Owner = null;
            _orphans.Add(opening);
        }
        waiter.Opening = null;
        return true;
    }

    /// <summary>Takes the first out; null when nobody waits.</summary>
    public Waiter? TakeFirst()
    {
        if (_waiters.First?.Value is not { } waiter) return null;
        Remove(waiter);
        return waiter;
    }

    /// <summary>Fails all waiters. True: there were any.</summary>
    public bool FailAll(Exception error) => Fail(Take(_ => true), _ => error);

    /// <summary>Fails the waiters whose opening was refused, each by its refusal. True: there were any.</summary>
    public bool FailRefused() => Fail(Take(w => w.Refusal is not null), w => w.Refusal!);

    /// <summary>Lets those whose opening was refused wait for any session again.</summary>
    public void ForgetRefusals()
    {
        foreach (var waiter in _waiters) waiter.Refusal = null;
    }

    /// <summary>An opening for whoever comes.</summary>
    /// <param name="expected">What is expected to be the session's first work.</param>
    public Opening AddOrphan(WorkKind? expected)
    {
        var opening = new Opening(null, expected);
        _orphans.Add(opening);
        return opening;
    }

    /// <summary>Says what is expected to be the first work of the sessions that are being opened for a waiter.</summary>
    public void Expect(WorkKind kind)
    {
        foreach (var waiter in _waiters)
        {
            if (waiter.Opening is { } opening) opening.Expected = kind;
        }
    }

    /// <summary>The first waiter that needs a new opening; those before it have one, or take over one that runs for nobody.</summary>
    public Waiter? FirstWithoutOpening()
    {
        foreach (var waiter in _waiters)
        {
            if (waiter.Opening is not null || waiter.Refusal is not null) continue;
            if (_orphans.Count == 0) return waiter;
            var orphan = _orphans[0];
            _orphans.RemoveAt(0);
            orphan.Owner = waiter;
            waiter.Opening = orphan;
        }
        return null;
    }

    /// <summary>Notes that an opening has ended, and gives its owner, who still waits.</summary>
    public Waiter? End(Opening opening)
    {
        if (opening.Owner is { } owner) owner.Opening = null;
        else _orphans.Remove(opening);
        return opening.Owner;
    }

    private List<Waiter> Take(Func<Waiter, bool> wanted)
    {
        var taken = _waiters.Where(wanted).ToList();
        foreach (var waiter in taken) Remove(waiter);
        return taken;
    }

    private static bool Fail(List<Waiter> waiters, Func<Waiter, Exception> errorOf)
    {
        foreach (var waiter in waiters) waiter.Fail(errorOf(waiter));
        return waiters.Count > 0;
    }
}
