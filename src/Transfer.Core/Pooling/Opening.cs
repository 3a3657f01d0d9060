using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>A session being opened.</summary>
internal sealed class Opening
{
    public Opening(Waiter? owner, WorkKind? expected = null)
    {
        Owner = owner;
        Expected = expected;
    }

    /// <summary>The begin and the end among all openings.</summary>
    public OpeningMark Mark { get; } = new();

    /// <summary>The kind of work expected first; null: unknown.</summary>
    public WorkKind? Expected { get; set; }

    /// <summary>The waiter that gets an error. Null: none yet, or that waiter was served otherwise or has gone.</summary>
    public Waiter? Owner { get; set; }
}
