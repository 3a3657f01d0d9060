namespace Transfer.Sessions;

/// <summary>An entry, and the proof of a directory.</summary>
/// <param name="entry">The entry; null: proved absent.</param>
/// <param name="proof">The proof, where the entry is of the type <see cref="RemoteEntryType.Directory"/>.</param>
public sealed class ProvedEntry(RemoteEntry? entry, DirectoryProof proof)
{
    /// <summary>The entry; null: proved absent.</summary>
    public RemoteEntry? Entry { get; } = entry;

    /// <summary>The proof, where the entry is of the type <see cref="RemoteEntryType.Directory"/>.</summary>
    public DirectoryProof Proof { get; } = proof;
}
