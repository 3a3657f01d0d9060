using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>rsync over ssh, without its own compression.</summary>
internal sealed class RsyncClient(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    public override TimeSpan? TimePrecision(ClientJob job) => TimeSpan.FromTicks(1);

    protected override string Program => "rsync";

    public override bool Does(TreeWork work) => work is TreeWork.List or TreeWork.Sync;

    public override ClientCommand Command(ClientJob job)
    {
        var remote = $"{SshTools.UserAndHost(job.Server)}:{job.RemotePath}/";
        var ssh = ShellWords.Join([SshTools.Ssh, .. SshTools.Options(job.Server)]);
        string[] paths = job.IsUpload ? [job.Local + "/", remote] : [remote, job.Local + "/"];
        string[] options = job.Tree == TreeWork.List ? ["--list-only"] : ["--times", "--whole-file"];
        return new ClientCommand(ProgramPath, ["--recursive", .. options, "-e", ssh, .. job.Tree == TreeWork.List ? [remote] : paths]);
    }
}
