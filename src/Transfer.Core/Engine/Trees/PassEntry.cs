using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>An entry of a folder that a <see cref="TreePass"/> handles.</summary>
/// <param name="Folder">The folder that holds the entry.</param>
/// <param name="Path">The path of the entry.</param>
/// <param name="Type">The type of the entry.</param>
/// <param name="Mode">The permissions, if known.</param>
/// <param name="Proof">For an entry that is listed as a folder: the proof, which is not <see cref="DirectoryProof.Child"/>.</param>
internal readonly record struct PassEntry(
    PassFolder Folder, string Path, RemoteEntryType Type, UnixFileMode? Mode = null, DirectoryProof? Proof = null);
