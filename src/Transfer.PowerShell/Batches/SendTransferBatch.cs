using System.Management.Automation;
using System.Security;
using Transfer.Batch;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Batches;

/// <summary>
/// Sends a folder of any number of small files as sealed archives: leaves them in a folder of the server for recipients to fetch, or
/// sends them straight to a receiver.
/// </summary>
[Cmdlet(VerbsCommunications.Send, "TransferBatch", DefaultParameterSetName = BySpool, SupportsShouldProcess = true)]
[OutputType(typeof(Files.TransferSummary), typeof(Files.TransferItem))]
public sealed class SendTransferBatch : BatchCmdlet
{
    private const string ByAddress = "Address";

    // Characters of a token: its version and the receiver's fingerprint, 33 bytes.
    private const int FingerprintLength = 44;

    /// <summary>The local folder.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    [ValidateNotNullOrEmpty]
    public string Path { get; set; } = string.Empty;

    /// <summary>The folder of the server that the archives are left in, which is made if need be; by default the server's own.</summary>
    [Parameter(Position = 1, ParameterSetName = BySpool)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [ValidateNotNullOrEmpty]
    public string Destination { get; set; } = string.Empty;

    /// <summary>
    /// The recipients: NAME=KEY with the public key, or a file that holds the key; NAME only if all share a key or a passphrase.
    /// </summary>
    [Parameter(Mandatory = true, ParameterSetName = BySpool)]
    [ValidateNotNullOrEmpty]
    public string[] To { get; set; } = [];

    /// <summary>
    /// How long the batch is kept for recipients that have not fetched it, by the server's clock; 7 days by default, and zero: for ever.
    /// The next run deletes older batches.
    /// </summary>
    [Parameter(ParameterSetName = BySpool)]
    public TimeSpan Deadline { get; set; } = TimeSpan.FromDays(7);

    /// <summary>
    /// Sends files that all recipients have confirmed in another version as changes only: for recipients that leave fetched files in
    /// place.
    /// </summary>
    [Parameter(ParameterSetName = BySpool)]
    public SwitchParameter Delta { get; set; }

    /// <summary>The address of a receiver, transfer://host:port#TOKEN, from Receive-TransferBatch -Listen or transfer receive.</summary>
    [Parameter(Mandatory = true, ParameterSetName = ByAddress)]
    [ValidateNotNullOrEmpty]
    public string Address { get; set; } = string.Empty;

    /// <summary>The token of the address, where the address has none.</summary>
    [Parameter(ParameterSetName = ByAddress)]
    public SecureString? Token { get; set; }

    /// <summary>Files of which the receiver has another version are sent whole.</summary>
    [Parameter(ParameterSetName = ByAddress)]
    public SwitchParameter NoDelta { get; set; }

    /// <summary>Resumes the same command after an interruption.</summary>
    [Parameter]
    public SwitchParameter Resume { get; set; }

    /// <summary>
    /// Symbolic links: Copy (the default) makes them at the other end too, Skip leaves them out, Follow sends their targets within the
    /// folder.
    /// </summary>
    [Parameter]
    public LinkHandling Links { get; set; } = LinkHandling.Copy;

    /// <summary>Includes only paths that match one of these patterns.</summary>
    [Parameter]
    [ValidateNotNull]
    public string[] Include { get; set; } = [];

    /// <summary>Nothing that one of these patterns matches.</summary>
    [Parameter]
    [ValidateNotNull]
    public string[] Exclude { get; set; } = [];

    /// <summary>Content is not compressed.</summary>
    [Parameter]
    public SwitchParameter NoCompression { get; set; }

    /// <summary>Most bytes of content in an archive, 64 KB to 64 MB; by default 4 MB over a server, and 2 MB to a receiver.</summary>
    [Parameter]
    [ValidateRange(64L << 10, 64L << 20)]
    public long? ArchiveSize { get; set; }

    /// <inheritdoc/>
    private protected override string Activity =>
        ParameterSetName == BySpool ? $"Leaving a batch at {Client.Endpoint.Host}" : "Sending a batch";

    private TransferFilter? Filter =>
        Include.Length + Exclude.Length == 0 ? null : new TransferFilter { Include = Include, Exclude = Exclude };

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var folder = LocalPathOf(Path);
        if (ParameterSetName == BySpool) LeaveInSpool(folder);
        else SendToReceiver(folder);
        base.EndProcessing();
    }

    private void LeaveInSpool(string folder)
    {
        var key = Key();
        var to = To.Select(text => Recipient(text, key)).ToList();
        var options = new SpoolSenderOptions
        {
            StateFolder = SpoolState(),
            Resume = Resume,
            Deadline = Deadline == TimeSpan.Zero ? null : Deadline,
            Filter = Filter,
            Links = Links,
            Compress = !NoCompression,
            ArchiveBytes = ArchiveSize,
            Deltas = Delta,
        }.LoggedTo(Say);
        if (Sessions is { } sessions) options = options with { Sessions = sessions };
        if (!ShouldProcess(folder,
            $"Leave a batch for {string.Join(", ", to.Select(one => one.Name))} in {Destination} at {Client.Endpoint}"))
        {
            return;
        }

        Follow(folder,
            () => new SpoolSender(Client, Destination, key, options).StartSend(folder, to, readItems: true, Progress, StopToken));
    }

    private void SendToReceiver(string folder)
    {
        var address = Receiver();
        var options = new BatchSenderOptions
        {
            Sessions = Sessions,
            Resume = Resume,
            Journal = Journal(folder, address),
            Filter = Filter,
            Links = Links,
            Compress = !NoCompression,
            ArchiveBytes = ArchiveSize,
            Deltas = !NoDelta,
        }.LoggedTo(Say);
        if (!ShouldProcess(folder, $"Send a batch to {address}")) return;
        Follow(folder, () => new BatchSender(address, options).StartSend(folder, readItems: true, Progress, StopToken));
    }

    private SpoolRecipient Recipient(string text, SpoolKey key)
    {
        var parts = text.Split('=', 2);
        if (key.Public is null && parts.Length > 1)
            Fail(new ArgumentException($"-To {parts[0]}: all share the key, so recipients have none of their own."), text);
        if (key.Public is not null && parts.Length == 1)
            Fail(new ArgumentException($"-To {text} has no key: give {text}=FILE or {text}=p256:…"), text);
        return new SpoolRecipient(parts[0], parts.Length == 1 ? null : PublicKey(parts[1]));
    }

    private BatchAddress Receiver()
    {
        try
        {
            return BatchAddress.Parse(Address, SecretText.Of(Token) is { } token ? BatchToken.Parse(token) : null);
        }
        catch (FormatException e)
        {
            // No target object: the address may contain a secret.
            Fail(new ArgumentException(e.Message, e));
            throw;
        }
    }

    // Every run keeps a journal, so that the next run can resume. The token's first half, which identifies the receiver, is no secret.
    private string? Journal(string folder, BatchAddress address)
    {
        var folders = OwnStateFolder is { } own ? new JournalDirectory(own) : JournalDirectory.OfUser();
        return folders?.JournalFor("send", folder, address.ToString(), address.Token.ToText()[..FingerprintLength]);
    }
}
