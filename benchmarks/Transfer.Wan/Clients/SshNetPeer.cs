using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary><c>SSH.NET</c>, <c>SSH.NET tuned</c> and <c>Transfer.SshNet</c>.</summary>
internal sealed class SshNetPeer(string label) : LibraryClient(label, "sshnet")
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];
}
