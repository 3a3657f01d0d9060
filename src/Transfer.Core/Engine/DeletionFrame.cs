namespace Transfer.Engine;

/// <summary>A directory that is being deleted with all that is in it.</summary>
/// <param name="path">Its path.</param>
internal sealed class DeletionFrame(string path)
{
    /// <summary>Its path.</summary>
    public string Path { get; } = path;

    /// <summary>Directories in it that are still to be visited.</summary>
    public Stack<string> Children { get; } = [];

    /// <summary>Why its last listing is partial; null: it is not.</summary>
    public TransferException? Gap { get; set; }

    /// <summary>What its last listing named, where that is partial.</summary>
    public HashSet<string> Named { get; set; } = [];
}
