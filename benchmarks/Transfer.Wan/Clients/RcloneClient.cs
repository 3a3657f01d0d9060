using System.Globalization;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>rclone: as many files at once as its label says.</summary>
internal sealed class RcloneClient(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.FTP, Protocol.FTPS, Protocol.SFTP];

    protected override string Program => "rclone";

    public override bool Does(TreeWork work) => work != TreeWork.Modes;

    public override ClientCommand Command(ClientJob job)
    {
        var server = job.Server;
        var isSsh = server.Protocol == Protocol.SFTP;
        var settings = new Dictionary<string, string>
        {
            ["TYPE"] = isSsh ? "sftp" : "ftp",
            ["HOST"] = server.Host,
            ["PORT"] = SshTools.Port(server),
            ["USER"] = server.User,
        };
        if (isSsh)
        {
            // Without known_hosts: it prefers hosts' certificates, which the server has, and finds no authority for them there.
            settings["KEY_FILE"] = server.Identity;
        }
        else
        {
            settings["PASS"] = Shell.Run(ProgramPath, ["obscure", "-"], server.Password).Trim();
        }

        if (server.Protocol == Protocol.FTPS)
        {
            settings["EXPLICIT_TLS"] = "true";
            settings["NO_CHECK_CERTIFICATE"] = "true";
        }

        var remote = $"wan:{job.RemotePath}";
        string[] work = job.Tree switch
        {
            TreeWork.List => ["lsf", "--recursive", remote],
            TreeWork.Sync => ["sync", job.Local, remote],
            TreeWork.Delete => ["purge", remote],
            _ => job.IsUpload ? ["copy", job.Local, remote] : ["copy", remote, job.Local],
        };
        var checkers = job.Tree is null ? "--transfers" : "--checkers";
        return new ClientCommand(ProgramPath,
            [.. work, checkers, Number(4).ToString(CultureInfo.InvariantCulture), "--retries", "1", "--config", "/dev/null",
            "--quiet"])
        {
            Environment = settings.ToDictionary(pair => "RCLONE_CONFIG_WAN_" + pair.Key, pair => pair.Value),
        };
    }
}
