namespace Transfer.Replacing;

/// <summary>The proved facts about renames in one folder of a server, for one user.</summary>
public enum ReplacementKnowledge
{
    /// <summary>Nothing: a rename onto the name itself is tried first.</summary>
    None,

    /// <summary>A rename onto an existing file was refused, and accepted once the old file had been moved aside.</summary>
    NeedsAside,

    /// <summary>Files cannot be renamed at all.</summary>
    NoRename,
}
