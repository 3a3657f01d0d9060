using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>
/// Ours in batch mode, the other way round: <c>transfer receive</c> is started here, and <c>transfer send</c> at the far end as soon as it
/// has the address. So the starts of both count.
/// </summary>
internal sealed class TransferReceiveClient(string label) : WanClient(label)
{
    public const string Name = TransferClientCommand.Name + " receive";

    // How the address comes to the far end: both ends see the same disk.
    private const string Address = "address";

    // It is compared with what goes over ssh; it needs no server.
    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    public override string? WhyNot => File.Exists(Program) ? null : "transfer is not built: ./build.sh build";

    public override TimeSpan? TimePrecision(ClientJob job) => TimeSpan.FromTicks(1);

    protected override string Program => TransferClientCommand.Path;

    public override ClientCommand? FarEnd(ClientJob job) => Script(
        "echo ready",
        $"until [ -s {Address} ]; do sleep 0.02; done",
        $"address=$(cat {Address})",
        $"TRANSFER_TOKEN=${{address#*#}} exec {ShellWords.Join([Program, "send", job.RemoteFolder])} \"${{address%%#*}}\" --quiet");

    public override ClientCommand Command(ClientJob job)
    {
        if (job.IsUpload) throw new NotSupportedException($"{Label} receives.");
        return Script(
            $"exec {ShellWords.Join([Program, "receive", job.Local, "--listen", $"{job.Host}:0", .. Label.Split(' ')[2..], "--quiet"])} "
            + $"> {Address}");
    }

    private static ClientCommand Script(params string[] lines) => new("/bin/sh", ["-c", string.Join('\n', lines)]);
}
