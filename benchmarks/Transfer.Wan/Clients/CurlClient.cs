using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>curl: one connection, one file after the other.</summary>
internal sealed class CurlClient(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.FTP, Protocol.FTPS, Protocol.HTTP];

    protected override string Program => "curl";

    public override ClientCommand Command(ClientJob job)
    {
        var server = job.Server;
        var url = $"{(server.Protocol == Protocol.HTTP ? "http" : "ftp")}://{server.HostAndPort}{job.RemotePath}/";
        string[] login = server.Protocol == Protocol.HTTP ? [] : ["--user", $"{server.User}:{server.Password}"];
        string[] tls = server.Protocol == Protocol.FTPS ? ["--ssl-reqd", "--insecure"] : [];
        // The options come from standard input: thousands of names are too many for one argument.
        var lines = job.Names.Select(name => job.IsUpload
            ? $"upload-file = \"{job.LocalFile(name)}\"\nurl = \"{url}\"\n"
            : $"output = \"{job.LocalFile(name)}\"\nurl = \"{url}{name}\"\n");
        return new ClientCommand(ProgramPath,
            ["-q", "--silent", "--show-error", "--fail", .. login, .. tls, "--config", "-"])
        { Input = string.Concat(lines) };
    }
}
