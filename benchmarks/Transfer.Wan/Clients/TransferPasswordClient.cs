using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>Ours over SFTP, logging in with the password instead of the key.</summary>
internal sealed class TransferPasswordClient(string label) : TransferClientCommand(label)
{
    public new const string Name = TransferClientCommand.Name + " by password";

    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    protected override string Words => Name;

    // A key is not offered: there is none, and no agent.
    protected override IEnumerable<string> IdentityOf(ServerAccess server) => [];
}
