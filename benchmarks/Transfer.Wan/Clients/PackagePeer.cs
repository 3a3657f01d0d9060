using System.Globalization;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>FluentFTP and SSH.NET, by one client object or by as many as the label says. They are there in a build with -p:Peers=true.</summary>
internal sealed class PackagePeer(string label, string name, params IReadOnlyList<Protocol> protocols) : OwnProgram(label, name)
{
    public override IReadOnlyList<Protocol> Protocols => protocols;

    public override string? WhyNot =>
#if PEERS
        null;
#else
        "built without the packages: Peers=true ./build.sh wan ... adds them";
#endif

    public override ClientCommand Command(ClientJob job) =>
        Run(job, Number(1).ToString(CultureInfo.InvariantCulture), job.IsUpload ? "up" : "down", Url(job), job.Local);
}
