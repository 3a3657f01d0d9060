using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>tar at both ends of an ssh connection.</summary>
internal sealed class TarClient(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    // Its own format, which is what it writes unasked, has seconds.
    public override TimeSpan? TimePrecision(ClientJob job) => TimeSpan.FromSeconds(1);

    protected override string Program => "tar";

    public override ClientCommand Command(ClientJob job)
    {
        string[] ssh = [SshTools.Ssh, .. SshTools.Options(job.Server), SshTools.UserAndHost(job.Server)];
        string[] pack = ["tar", "-C", job.IsUpload ? job.Local : job.RemotePath, "-cf", "-", "."];
        string[] unpack = ["tar", "-C", job.IsUpload ? job.RemotePath : job.Local, "--no-overwrite-dir", "-xf", "-"];
        // What ssh is given is read by another shell.
        var pipe = job.IsUpload
            ? $"{ShellWords.Join(pack)} | {ShellWords.Join([.. ssh, ShellWords.Join(unpack)])}"
            : $"{ShellWords.Join([.. ssh, ShellWords.Join(pack)])} | {ShellWords.Join(unpack)}";
        return new ClientCommand("/bin/sh", ["-c", pipe]);
    }
}
