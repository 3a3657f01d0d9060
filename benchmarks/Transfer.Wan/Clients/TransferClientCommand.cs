using Transfer.ServerTests.Servers;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>Ours. Its label is what is typed: <c>transfer --sessions 1</c>.</summary>
internal class TransferClientCommand(string label) : WanClient(label)
{
    public const string Name = "transfer";

    /// <summary>The command as <c>./build.sh build</c> makes it.</summary>
    public static string Path { get; } = System.IO.Path.Combine(ServerFiles.Repository, "artifacts", "command", Name);

    public override IReadOnlyList<Protocol> Protocols => [Protocol.FTP, Protocol.FTPS, Protocol.SFTP];

    public override string? WhyNot => File.Exists(Program) ? null : "transfer is not built: ./build.sh build";

    // FTP and version 3 of SFTP have seconds.
    public override TimeSpan? TimePrecision(ClientJob job) => TimeSpan.FromSeconds(1);

    protected override string Program => Path;

    /// <summary>What stands in the label before the options.</summary>
    protected virtual string Words => Name;

    public override bool Does(TreeWork work) => true;

    public override ClientCommand Command(ClientJob job)
    {
        var server = job.Server;
        var scheme = server.Protocol switch { Protocol.FTP => "ftp", Protocol.FTPS => "ftpes", _ => "sftp" };
        var remote = $"{scheme}://{server.User}@{server.HostAndPort}{job.RemotePath}/";
        string[] work = (job.Tree, job.IsUpload, job.Names) switch
        {
            (TreeWork.List, _, _) => ["ls", "-R", remote],
            (TreeWork.Sync, _, _) => ["sync", job.Local, remote],
            (TreeWork.Delete, _, _) => ["rm", "-r", remote.TrimEnd('/')],
            (TreeWork.Modes, _, _) => ["chmod", "-R", TreeWorks.Octal, remote.TrimEnd('/')],
            (_, true, _) => ["put", .. SourcesOf(job), remote],
            (_, false, [var name]) => ["get", remote + name, job.LocalFile(name)],
            _ => ["get", remote, job.Local],
        };
        string[] trust = server.Protocol == Protocol.SFTP
            ? [.. IdentityOf(server), "--known-hosts", server.KnownHosts, "--ssh-config", "none"] : [];
        return new ClientCommand(Program,
            [.. work, .. Label[Words.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries), .. trust,
            "--quiet"])
        {
            Environment = new Dictionary<string, string> { ["TRANSFER_PASSWORD"] = server.Password },
        };
    }

    /// <summary>The options that name the key of an SSH log-in.</summary>
    protected virtual IEnumerable<string> IdentityOf(ServerAccess server) => ["--identity", server.Identity];

    /// <summary>What an upload is given: the folder, or the one file.</summary>
    protected virtual IEnumerable<string> SourcesOf(ClientJob job) => [job.Names is [var name] ? job.LocalFile(name) : job.Local];
}
