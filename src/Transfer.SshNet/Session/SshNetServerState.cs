using Transfer.Replacing;

namespace Transfer.SshNet.Session;

/// <summary>What a client knows of its server, for all its sessions.</summary>
internal sealed class SshNetServerState
{
    /// <summary>What was proved about renames.</summary>
    public ReplacementMemory Renames { get; } = new();

    /// <summary>The server has no posix-rename@openssh.com.</summary>
    public volatile bool NoPosixRename;
}
