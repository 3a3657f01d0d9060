using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>
/// Ours in batch mode, by a connection of its own: <c>transfer receive</c> waits at the far end, as an sshd does for the others, with the
/// options that stand in the label.
/// </summary>
internal sealed class TransferSendClient(string label) : WanClient(label)
{
    public const string Name = TransferClientCommand.Name + " send";

    // It is compared with what goes over ssh; it needs no server.
    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    public override string? WhyNot => File.Exists(Program) ? null : "transfer is not built: ./build.sh build";

    public override TimeSpan? TimePrecision(ClientJob job) => TimeSpan.FromTicks(1);

    protected override string Program => TransferClientCommand.Path;

    public override ClientCommand? FarEnd(ClientJob job) =>
        new(Program, ["receive", job.RemoteFolder, "--listen", $"{job.Server.Host}:0", .. Label.Split(' ')[2..], "--quiet"]);

    public override ClientCommand Command(ClientJob job)
    {
        if (!job.IsUpload) throw new NotSupportedException($"{Label} sends.");
        var address = new Uri(job.FarEnd ?? throw new InvalidOperationException("Nobody waits at the far end."));
        // The token by the variable, as one does where others can see arguments.
        return new ClientCommand(Program, ["send", job.Local, address.GetLeftPart(UriPartial.Authority), "--quiet"])
        {
            Environment = new Dictionary<string, string> { ["TRANSFER_TOKEN"] = address.Fragment[1..] },
        };
    }
}
