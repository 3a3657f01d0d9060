namespace Transfer.Sessions;

/// <summary>An entry, and the proof of a directory.</summary>
/// <param name="Entry">The entry; null: proved absent.</param>
/// <param name="Proof">The proof, where the entry is of the type <see cref="RemoteEntryType.Directory"/>.</param>
public readonly record struct ProvedEntry(RemoteEntry? Entry, DirectoryProof Proof);
