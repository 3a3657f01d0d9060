using Transfer.Replacing;

namespace Transfer.SshNet.Session;

/// <summary>A client's knowledge of the server, for all its sessions.</summary>
internal sealed class SshNetServerState
{
    /// <summary>The proved facts about renames.</summary>
    public ReplacementMemory Renames { get; } = new();

    /// <summary>Whether the server lacks posix-rename@openssh.com.</summary>
    public volatile bool NoPosixRename;
}
