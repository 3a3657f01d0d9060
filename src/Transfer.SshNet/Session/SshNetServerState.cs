using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>The knowledge of the server that all sessions of a client share.</summary>
internal sealed class SshNetServerState
{
    /// <summary>The proved facts about renames.</summary>
    public ReplacementMemory Renames { get; } = new();

    /// <summary>Whether the server lacks posix-rename@openssh.com, or refuses what RENAME does.</summary>
    public volatile bool NoPosixRename;

    /// <summary>
    /// Whether the server's confirmation of a rename or a deletion proves that: by the source of those that are known by name.
    /// </summary>
    public volatile bool ConfirmsChanges;

    /// <summary>Looks behind confirmed changes.</summary>
    public ConfirmedChanges Changes { get; } = new();

    /// <summary>Whether a file was renamed by posix-rename@openssh.com.</summary>
    public volatile bool HasPosixRename;
}
