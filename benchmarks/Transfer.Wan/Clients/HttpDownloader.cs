using System.Globalization;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>Clients that download one file over HTTP: wget by one connection, axel and aria2c by as many as their label says.</summary>
internal sealed class HttpDownloader(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.HTTP];

    protected override string Program => Label.Split(' ')[0];

    public override ClientCommand Command(ClientJob job)
    {
        if (job.IsUpload || job.Names.Count != 1) throw new NotSupportedException($"{Label} downloads one file.");
        var name = job.Names[0];
        var url = $"http://{job.Server.HostAndPort}{job.RemotePath}/{name}";
        var connections = Number(1).ToString(CultureInfo.InvariantCulture);
        return new ClientCommand(ProgramPath, Program switch
        {
            "wget" => ["--no-config", "--no-verbose", "--no-proxy", "-O", job.LocalFile(name), url],
            "axel" => ["--quiet", "--no-proxy", "-n", connections, "-o", job.LocalFile(name), url],
            _ => ["--no-conf", "--quiet", "--file-allocation=none", "-x", connections, "-s", connections, "-k", "1M", "-d", job.Local, "-o",
                name, url],
        });
    }
}
