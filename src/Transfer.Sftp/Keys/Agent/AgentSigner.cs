namespace Transfer.Sftp.Keys.Agent;

/// <summary>A key that the agent keeps.</summary>
internal sealed class AgentSigner(SshAgent agent, SshPublicKey key, string description) : ISshSigner
{
    public SshPublicKey PublicKey => key;

    public string Description => description;

    public ValueTask<byte[]> SignAsync(string algorithm, ReadOnlyMemory<byte> data, CancellationToken ct) =>
        agent.SignAsync(key, algorithm, data, ct);
}
