using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>Clients that are part of this program: it runs itself at the near end as <c>Transfer.Wan client NAME ...</c>.</summary>
/// <param name="label">The name in the records; what follows its first words are the client's own options.</param>
/// <param name="name">The client's name on the command line.</param>
internal abstract class OwnProgram(string label, string name) : WanClient(label)
{
    protected override string Program =>
        Environment.ProcessPath ?? throw new InvalidOperationException("This program does not know where it is.");

    public override string? WhyNot => null;

    protected ClientCommand Run(ClientJob job, params IEnumerable<string> arguments) => new(Program, ["client", name, .. arguments])
    {
        Environment = new Dictionary<string, string>
        {
            ["TRANSFER_PASSWORD"] = job.Server.Password,
            ["TRANSFER_IDENTITY"] = job.Server.Identity
        },
    };

    protected static string Url(ClientJob job) =>
        $"{job.Server.Protocol switch { Protocol.SFTP => "sftp", Protocol.FTPS => "ftpes", _ => "ftp" }}://{job.Server.User}@{job.Server.HostAndPort}{job.RemotePath}/";
}
