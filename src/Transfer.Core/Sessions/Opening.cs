namespace Transfer.Sessions;

/// <summary>A session being opened.</summary>
internal sealed class Opening
{
    public Opening(Waiter? owner) => Owner = owner;

    /// <summary>Who gets the error if it fails. Null: nobody yet, or that one was served otherwise or has gone.</summary>
    public Waiter? Owner { get; set; }
}
