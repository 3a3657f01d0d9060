using System.Management.Automation;
using System.Security;
using Transfer.PowerShell.Errors;

namespace Transfer.PowerShell.Servers;

/// <summary>Connects to a server, which is the current one of the session then.</summary>
[Cmdlet(VerbsCommunications.Connect, "TransferServer")]
[OutputType(typeof(TransferServer))]
public sealed class ConnectTransferServer : TransferCmdlet, IConnectionParameters
{
    private const string OtherName = "Give another -Name, or close that server before: Disconnect-TransferServer.";

    private readonly List<string> _pins = []; // of all records

    /// <summary>The server and the folder that paths start from: ftp, ftpes, ftps, sftp or file.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public Uri Uri { get; set; } = null!;

    /// <summary>User and password.</summary>
    [Parameter(Position = 1)]
    [Credential]
    public PSCredential? Credential { get; set; }

    /// <summary>Private key files.</summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string[] IdentityFile { get; set; } = [];

    /// <summary>The passphrase of the key files.</summary>
    [Parameter]
    public SecureString? Passphrase { get; set; }

    /// <summary>Fingerprints (SHA256:…) of the host key, or the certificate; Get-TransferHostKey gives those of a host.</summary>
    [Parameter(ValueFromPipelineByPropertyName = true)]
    [Alias("Fingerprint")]
    [ArgumentCompleter(typeof(PinCompleter))]
    [ValidateNotNullOrEmpty]
    public string[] Pin { get; set; } = [];

    /// <summary>A host key that is not known is accepted, and remembered.</summary>
    [Parameter]
    public SwitchParameter AcceptNewHostKey { get; set; }

    /// <summary>The known_hosts file.</summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string? KnownHostsFile { get; set; }

    /// <summary>The options of ssh_config(5) count.</summary>
    [Parameter]
    public SwitchParameter UseSshConfig { get; set; }

    /// <summary>
    /// SSH hosts to go through, [user@]host[:port] each, in that order; none: no host, even if ssh_config(5) names one. The log-in at these
    /// hosts is with keys, never with the server's password.
    /// </summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string[] Jump { get; set; } = [];

    /// <summary>A proxy to go through: http://host:port (CONNECT) or socks5://host:port.</summary>
    [Parameter]
    [ValidateNotNull]
    public Uri? Proxy { get; set; }

    /// <summary>User and password of the proxy.</summary>
    [Parameter]
    [Credential]
    public PSCredential? ProxyCredential { get; set; }

    /// <summary>Most sessions at once.</summary>
    [Parameter]
    [ValidateRange(1, 1000)]
    public int? MaxSessions { get; set; }

    /// <summary>After so long without an answer a session is given up.</summary>
    [Parameter]
    public TimeSpan? IdleTimeout { get; set; }

    /// <summary>A name by which other cmdlets know the server; by default the host's.</summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string? Name { get; set; }

    string[] IConnectionParameters.Pin => [.. _pins];

    /// <inheritdoc/>
    protected override void ProcessRecord() => _pins.AddRange(Pin);

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        if (!Uri.IsAbsoluteUri)
            Fail(new ArgumentException($"'{ShownUrl.Of(Uri)}' is no absolute URI: give one such as sftp://user@host/folder."), Uri);
        if (Name is not null && ServerBoard.Find(Name) is not null)
            Fail(Taken(Name), Name, OtherName);
        var messages = new MessageRelay();
        messages.Listen(Say);
        var connector = new ServerConnector(this, SessionState.Path, new(Host, WriteDebug), Pump);
        var settings = connector.Settings(Uri, Credential);
        var server = Await(token => connector.OpenAsync(settings, messages, Name, token), Uri);
        messages.Leave(Say);
        if (!ServerBoard.TryAdd(server))
        {
            server.CloseAsync().GetAwaiter().GetResult();
            Fail(Taken(server.Name), server.Name, OtherName);
        }
        ServerBoard.Current = server;
        WriteObject(server);
    }

    private static TransferException Taken(string name) => new(TransferError.Exists, $"A server with the name '{name}' is connected.");
}
