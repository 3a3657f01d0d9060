using System.Management.Automation;
using System.Management.Automation.Host;
using System.Security;
using System.Text.RegularExpressions;
using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Servers;

/// <summary>Connects to a server, which is the current one of the session then.</summary>
[Cmdlet(VerbsCommunications.Connect, "TransferServer")]
[OutputType(typeof(TransferServer))]
public sealed partial class ConnectTransferServer : TransferCmdlet
{
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
    public string[] IdentityFile { get; set; } = [];

    /// <summary>What encrypts the key files.</summary>
    [Parameter]
    public SecureString? Passphrase { get; set; }

    /// <summary>Fingerprints (SHA256:…) of the host key, or the certificate; Get-TransferHostKey gives those of a host.</summary>
    [Parameter(ValueFromPipelineByPropertyName = true)]
    [Alias("Fingerprint")]
    [ArgumentCompleter(typeof(PinCompleter))]
    public string[] Pin { get; set; } = [];

    /// <summary>A host key that is not known is accepted, and remembered.</summary>
    [Parameter]
    public SwitchParameter AcceptNewHostKey { get; set; }

    /// <summary>The known_hosts file.</summary>
    [Parameter]
    public string? KnownHostsFile { get; set; }

    /// <summary>The options of ssh_config(5) count.</summary>
    [Parameter]
    public SwitchParameter UseSshConfig { get; set; }

    /// <summary>SSH hosts to go through, [user@]host[:port] each, in that order; none: no host, whatever ssh_config(5) says. They are logged in to with keys, never with the server's password.</summary>
    [Parameter]
    public string[] Jump { get; set; } = [];

    /// <summary>A proxy to go through: http://host:port (CONNECT) or socks5://host:port.</summary>
    [Parameter]
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

    /// <inheritdoc/>
    protected override void ProcessRecord() => _pins.AddRange(Pin);

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        if (!Uri.IsAbsoluteUri) Fail(new ArgumentException($"'{Uri}' is no absolute URI: give one such as sftp://user@host/folder."), Uri);
        if (Name is not null && ServerBoard.Find(Name) is not null) Fail(new TransferException(TransferError.Exists, $"A server with the name '{Name}' is connected."), Name);
        var messages = new MessageRelay();
        messages.Listen(Say);
        var settings = Settings();
        var server = Await(token => OpenAsync(settings, messages, token), Uri);
        messages.Leave(Say);
        if (!ServerBoard.TryAdd(server))
        {
            server.CloseAsync().GetAwaiter().GetResult();
            Fail(new TransferException(TransferError.Exists, $"A server with the name '{server.Name}' is connected."), server.Name);
        }
        ServerBoard.Current = server;
        WriteObject(server);
    }

    [GeneratedRegex("SHA256:[A-Za-z0-9+/]{43}")]
    private static partial Regex Fingerprint { get; }

    private async Task<TransferServer> OpenAsync(ClientSettings settings, MessageRelay messages, CancellationToken ct)
    {
        try
        {
            return await ServerOpener.OpenAsync(settings, messages, Name, connect: true, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.HostKey && settings.Pins.Count == 0 && e.Message.Contains("not known", StringComparison.Ordinal) && Fingerprint.Match(e.Message) is { Success: true } print)
        {
            if (!Pump.Ask(() => IsTrusted(e.Message))) throw;
            // The very key that was shown.
            return await ServerOpener.OpenAsync(settings with { Pins = [print.Value] }, messages, Name, connect: true, ct).ConfigureAwait(false);
        }
    }

    private bool IsTrusted(string message)
    {
        try
        {
            return ShouldContinue($"{message} Connect to it this time?", "Unknown host key");
        }
        catch (InvalidOperationException e)
        {
            // There is nobody to ask: the refusal says what to give instead.
            WriteDebug(e.Message);
            return false;
        }
    }

    private ClientSettings Settings() => new()
    {
        Uri = Uri,
        Credential = ServerOpener.Credential(Credential),
        IdentityFiles = [.. IdentityFile.Select(GetUnresolvedProviderPathFromPSPath)],
        Passphrase = Passphrase is null ? null : new PSCredential("key", Passphrase).GetNetworkCredential().Password,
        Pins = _pins,
        AcceptNewHostKey = AcceptNewHostKey,
        KnownHostsFile = KnownHostsFile is null ? null : GetUnresolvedProviderPathFromPSPath(KnownHostsFile),
        UseSshConfig = UseSshConfig,
        Jump = Jump,
        Proxy = Proxy,
        ProxyCredential = ServerOpener.Credential(ProxyCredential),
        MaxSessions = MaxSessions,
        IdleTimeout = IdleTimeout,
        Log = _ => { },
        Ask = question => Pump.Ask(() => Ask(question)),
    };

    // Null: there is nobody to ask.
    private List<string>? Ask(ClientQuestion question)
    {
        var answers = new List<string>();
        try
        {
            Host.UI.WriteLine(question.Caption);
            foreach (var (text, echo) in question.Prompts)
            {
                Host.UI.Write($"{text} ");
                answers.Add(echo ? Host.UI.ReadLine() : new PSCredential("answer", Host.UI.ReadLineAsSecureString()).GetNetworkCredential().Password);
            }
            return answers;
        }
        catch (Exception e) when (e is InvalidOperationException or HostException)
        {
            WriteDebug(e.Message);
            return null;
        }
    }
}
