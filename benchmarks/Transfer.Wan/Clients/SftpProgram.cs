using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>
/// OpenSSH's sftp. Alone it moves all files in one session; as <c>sftp -c CIPHER</c> each file has a process of its own, all at once: so
/// many streams as files.
/// </summary>
internal sealed class SftpProgram(string label) : WanClient(label)
{
    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    protected override string Program => "sftp";

    public override ClientCommand Command(ClientJob job)
    {
        var mode = Label.Split(' ')[1..];
        string[] words = [ProgramPath, "-q", "-b", "-", "-S", SshTools.Ssh, .. SshTools.CommonOptions(job.Server), "-P",
            SshTools.Port(job.Server), .. mode, SshTools.UserAndHost(job.Server)];
        if (mode.Length == 0 || job.Names.Count == 1)
            return new ClientCommand(words[0], words[1..]) { Input = Line(job, job.Names.Count == 1 ? job.Names[0] : "*") };

        var streams =
            job.Names.Select((name, i) => $"printf '%s' {ShellWords.Quote(Line(job, name))} | {ShellWords.Join(words)} & p{i}=$!");
        var waits = job.Names.Select((_, i) => $"wait $p{i} || failed=1");
        return new ClientCommand("/bin/sh", ["-c", string.Join('\n', [.. streams, "failed=0", .. waits, "exit $failed"])]);
    }

    private static string Line(ClientJob job, string name) => job.IsUpload
        ? $"put -p {job.LocalFile(name)} {job.RemotePath}/\n"
        : $"get -p {job.RemotePath}/{name} {job.Local}/\n";
}
