using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>
/// The waiters, first come first served, and the openings on their behalf. If the waiter of an opening has gone, the opening goes on for
/// the next waiter without one. Not thread-safe: the pool's lock guards this.
/// </summary>
internal sealed class WaitingLine
{
    private readonly LinkedList<Waiter> _waiters = new();
    private readonly List<Opening> _orphans = [];
    private WorkKind? _expected;

    public int Count => _waiters.Count;

    /// <summary>Whether an opening without a waiter is under way.</summary>
    public bool HasOrphans => _orphans.Count > 0;

    public Waiter Add()
    {
        var waiter = new Waiter();
        _waiters.AddLast(waiter.Node);
        return waiter;
    }

    /// <summary>Takes a waiter out; false: no longer in the line.</summary>
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

    /// <summary>Takes the first waiter out; null: none.</summary>
    public Waiter? TakeFirst()
    {
        if (_waiters.First?.Value is not { } waiter) return null;
        Remove(waiter);
        return waiter;
    }

    /// <summary>Fails all waiters. True: there were any.</summary>
    public bool FailAll(Exception error) => Fail(Take(_ => true), _ => error);

    /// <summary>Fails the waiters with a refused opening, each by that refusal. True: there were any.</summary>
    public bool FailRefused() => Fail(Take(w => w.Refusal is not null), w => w.Refusal!);

    /// <summary>Lets waiters with a refused opening wait for any session again.</summary>
    public void ForgetRefusals()
    {
        foreach (var waiter in _waiters) waiter.Refusal = null;
    }

    /// <summary>Adds an opening for a waiter to come.</summary>
    /// <param name="expected">The kind of work expected first.</param>
    public Opening AddOrphan(WorkKind? expected)
    {
        var opening = new Opening(null, expected);
        _orphans.Add(opening);
        return opening;
    }

    /// <summary>Adds an opening for a waiter that needs one.</summary>
    public Opening AddFor(Waiter waiter) => waiter.Opening = new Opening(waiter, _expected);

    /// <summary>Sets the kind of work that is expected first on sessions opened for waiters, from now on and at this moment.</summary>
    /// <param name="kind">The kind; null: unknown from now on.</param>
    public void Expect(WorkKind? kind)
    {
        _expected = kind;
        if (kind is null) return;
        foreach (var waiter in _waiters)
        {
            if (waiter.Opening is { } opening) opening.Expected = kind;
        }
    }

    /// <summary>Returns the first waiter that needs a new opening; earlier waiters have one, or take over one without a waiter.</summary>
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

    /// <summary>Notes that an opening has ended, and returns its owner if still waiting.</summary>
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
