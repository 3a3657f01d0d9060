using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>lftp: a folder by mirror, one file or <c>parallel N</c> at once; a file in one stream, or in N by <c>pget N</c>.</summary>
internal sealed class LftpClient(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.FTP, Protocol.FTPS, Protocol.SFTP];

    protected override string Program => "lftp";

    public override bool Does(TreeWork work) => true;

    public override ClientCommand Command(ClientJob job)
    {
        var server = job.Server;
        var lines = new List<string> { "set cmd:fail-exit yes", "set net:max-retries 3", "set net:timeout 60", "set xfer:clobber yes" };
        lines.AddRange(server.Protocol switch
        {
            Protocol.FTP => ["set ftp:ssl-allow no"],
            Protocol.FTPS => ["set ftp:ssl-force yes", "set ftp:ssl-protect-data yes", "set ssl:verify-certificate no"],
            _ => [$"set sftp:connect-program {Quote(ShellWords.Join([SshTools.Ssh, "-a", "-x", .. SshTools.Options(server)]))}"],
        });
        var scheme = server.Protocol == Protocol.SFTP ? "sftp" : "ftp";
        lines.Add($"open -u {Quote($"{server.User},{server.Password}")} {scheme}://{server.HostAndPort}");
        lines.Add(Work(job));
        return new ClientCommand(ProgramPath, ["--norc", "-c", string.Join("; ", lines)]);
    }

    private string Work(ClientJob job)
    {
        var remote = Quote(job.RemotePath);
        if (job.Tree is { } tree)
        {
            return tree switch
            {
                TreeWork.List => $"find {remote}",
                TreeWork.Sync => $"mirror --no-perms --parallel={Number(1)} -R {Quote(job.Local)} {remote}",
                TreeWork.Delete => $"rm -r {remote}",
                _ => $"chmod -R {TreeWorks.Octal} {remote}",
            };
        }

        if (job.Names.Count > 1)
        {
            var mirror = $"mirror --no-perms --parallel={Number(1)}";
            return job.IsUpload ? $"{mirror} -R {Quote(job.Local)} {remote}" : $"{mirror} {remote} {Quote(job.Local)}";
        }

        var name = job.Names[0];
        if (job.IsUpload) return $"put -O {remote} {Quote(job.LocalFile(name))}";
        var get = Label.Contains("pget", StringComparison.Ordinal) ? $"pget -n {Number(1)}" : "get";
        return $"{get} -O {Quote(job.Local)} {Quote($"{job.RemotePath}/{name}")}";
    }

    private static string Quote(string word) =>
        $"\"{word.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)}\"";
}
