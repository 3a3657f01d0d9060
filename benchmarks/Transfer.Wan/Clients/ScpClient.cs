using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>scp, which speaks SFTP since OpenSSH 9.</summary>
internal sealed class ScpClient(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    protected override string Program => "scp";

    public override ClientCommand Command(ClientJob job)
    {
        var server = job.Server;
        var remote = $"{SshTools.UserAndHost(server)}:{job.RemotePath}/";
        // A pattern, because it opens a connection for each remote source.
        IEnumerable<string> paths = job.IsUpload
            ? [.. job.Names.Select(job.LocalFile), remote] : [remote + (job.Names.Count == 1 ? job.Names[0] : "*"), job.Local];
        return new ClientCommand(ProgramPath,
            ["-q", "-p", "-S", SshTools.Ssh, .. SshTools.CommonOptions(server), "-P", SshTools.Port(server), .. paths]);
    }
}
