using System.Management.Automation;
using System.Net;
using Transfer.Batch;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Batches;

/// <summary>
/// Fetches batches that Send-TransferBatch left in a folder of the server, or listens for one batch that is sent straight here.
/// </summary>
[Cmdlet(VerbsCommunications.Receive, "TransferBatch", DefaultParameterSetName = BySpool, SupportsShouldProcess = true)]
[OutputType(typeof(Files.TransferSummary), typeof(Files.TransferItem), typeof(BatchReceiverAddress))]
public sealed class ReceiveTransferBatch : BatchCmdlet
{
    private const string ByListening = "Listen";

    /// <summary>The folder of the server that the archives are in; by default the server's own.</summary>
    [Parameter(Position = 0, ParameterSetName = BySpool)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [ValidateNotNullOrEmpty]
    public string Path { get; set; } = string.Empty;

    /// <summary>The local folder that the files go into, which is made if need be; by default the current one.</summary>
    [Parameter(Position = 1)]
    [ValidateNotNullOrEmpty]
    public string Destination { get; set; } = ".";

    /// <summary>The recipient's name in the sender's command.</summary>
    [Parameter(Mandatory = true, ParameterSetName = BySpool)]
    [ValidateNotNullOrEmpty]
    public string As { get; set; } = string.Empty;

    /// <summary>The senders' public keys, or files that hold them; not where all share a key or a passphrase.</summary>
    [Parameter(ParameterSetName = BySpool)]
    [ValidateNotNullOrEmpty]
    public string[] From { get; set; } = [];

    /// <summary>Waits until a batch has arrived. By default only batches that are present are fetched.</summary>
    [Parameter(ParameterSetName = BySpool)]
    public SwitchParameter Wait { get; set; }

    /// <summary>Listens, writes the address for the sender, and receives one batch.</summary>
    [Parameter(Mandatory = true, ParameterSetName = ByListening)]
    public SwitchParameter Listen { get; set; }

    /// <summary>
    /// The address to listen at, such as 127.0.0.1:4780; port 0 takes a free one. By default every address of the machine: port 4780 with
    /// -StateFolder, else a free one.
    /// </summary>
    [Parameter(ParameterSetName = ByListening)]
    public IPEndPoint? EndPoint { get; set; }

    /// <summary>
    /// The name by which senders reach this machine, for the address; by default the IP address on the way to the network.
    /// </summary>
    [Parameter(ParameterSetName = ByListening)]
    [ValidateNotNullOrEmpty]
    public string? HostName { get; set; }

    /// <summary>Reports no existing files to the sender, which sends all files whole.</summary>
    [Parameter(ParameterSetName = ByListening)]
    public SwitchParameter NoDelta { get; set; }

    /// <summary>The treatment of files that exist: Fail (the default), Skip, Newer or Always.</summary>
    [Parameter]
    public OverwriteMode Overwrite { get; set; }

    /// <summary>
    /// Gives files exactly the sender's permissions. By default a replaced file keeps its own, and the umask limits those of a new file.
    /// </summary>
    [Parameter]
    public SwitchParameter PreserveMode { get; set; }

    /// <summary>When received files are safe against a power cut: Archive (the default), FileSystem, File or None.</summary>
    [Parameter]
    public Durability Durability { get; set; }

    /// <inheritdoc/>
    private protected override string Activity =>
        ParameterSetName == BySpool ? $"Fetching batches from {Client.Endpoint.Host}" : "Receiving a batch";

    /// <inheritdoc/>
    private protected override string Advice(TransferError error) =>
        error == TransferError.Exists ? "Give -Overwrite Always, Newer or Skip." : base.Advice(error);

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var folder = LocalPathOf(Destination);
        if (ParameterSetName == BySpool) Fetch(folder);
        else ListenFor(folder);
        base.EndProcessing();
    }

    private void Fetch(string folder)
    {
        var key = Key();
        if (key.Public is not null && From.Length == 0)
            Fail(new ArgumentException("Give -From: the public keys of those whose batches are taken."));
        if (key.Public is null && From.Length > 0)
            Fail(new ArgumentException("From: all share the key, so senders have none of their own."));
        var options = new SpoolFetcherOptions
        {
            StateFolder = SpoolState(),
            Senders = [.. From.Select(PublicKey)],
            Wait = Wait,
            Overwrite = Overwrite,
            PreserveMode = PreserveMode,
            Durability = Durability,
        }.LoggedTo(Say);
        if (Sessions is { } sessions) options = options with { Sessions = sessions };
        if (!ShouldProcess(folder, $"Fetch batches for {As} from {Path} at {Client.Endpoint}")) return;
        Follow(folder, () => new SpoolFetcher(Client, Path, As, key, options).StartFetch(folder, readItems: true, Progress, StopToken));
    }

    private void ListenFor(string folder)
    {
        if (Sessions is not null)
            Fail(new ArgumentException("Sessions is for senders: a receiver takes as many connections as its sender opens."));
        var options = new BatchReceiverOptions
        {
            Listen = EndPoint,
            Host = HostName,
            StateFolder = OwnStateFolder,
            Overwrite = Overwrite,
            PreserveMode = PreserveMode,
            Durability = Durability,
            Deltas = !NoDelta,
        }.LoggedTo(Say);
        if (!ShouldProcess(folder, "Receive a batch into")) return;
        var (job, address) = Await(token => Task.Run(() => ListeningReceiver.Start(folder, options, Progress, StopToken), token), folder);
        Follow(job);
        WriteObject(new BatchReceiverAddress(address, folder));
    }
}
