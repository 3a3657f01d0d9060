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

    /// <summary>What is expected to be its first work; null: that is not known.</summary>
    public WorkKind? Expected { get; set; }

    /// <summary>Who gets the error if it fails. Null: nobody yet, or that one was served otherwise or has gone.</summary>
    public Waiter? Owner { get; set; }
}
