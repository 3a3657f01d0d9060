using System.Management.Automation;
using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Servers;

/// <summary>
/// Reads the keys of SSH hosts without logging in, as ssh-keyscan does. The keys are not trusted: compare the fingerprints before they
/// are given to -Pin.
/// </summary>
[Cmdlet(VerbsCommon.Get, "TransferHostKey")]
[OutputType(typeof(TransferHostKey))]
public sealed class GetTransferHostKey : TransferCmdlet
{
    private const int MostAtOnce = 16;

    /// <summary>Names or addresses of hosts.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ValueFromPipelineByPropertyName = true)]
    [Alias("HostName", "Cn")]
    [ValidateNotNullOrEmpty]
    public string[] ComputerName { get; set; } = [];

    /// <summary>The port; by default that of ssh_config(5), or 22.</summary>
    [Parameter(ValueFromPipelineByPropertyName = true)]
    [ValidateRange(1, 65535)]
    public int? Port { get; set; }

    /// <summary>The options of ssh_config(5) count: names may be aliases, and jump hosts those of the configuration.</summary>
    [Parameter]
    public SwitchParameter UseSshConfig { get; set; }

    /// <summary>
    /// SSH hosts to go through, [user@]host[:port] each; they are logged in to with keys, and their own keys are checked.
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

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        var credential = ServerOpener.Credential(ProxyCredential);
        var port = Port;
        foreach (var hosts in ComputerName.Chunk(MostAtOnce))
        {
            // All at once, and written in their order.
            var readings = hosts.Select(host => (host, Task.Run(() => TryReadAsync(host, port, Way, StopToken)))).ToList();
            foreach (var (host, reading) in readings) Write(host, Await(_ => reading));
        }

        ClientSettings Way(Uri host) =>
            new() { Uri = host, UseSshConfig = UseSshConfig, Jump = Jump, Proxy = Proxy, ProxyCredential = credential, Log = Say };
    }

    private static async Task<(IReadOnlyList<TransferHostKey> Keys, Exception? Error)> TryReadAsync(
        string host, int? port, Func<Uri, ClientSettings> way, CancellationToken ct)
    {
        try
        {
            return (await HostKeyReader.ReadAsync(host, port, way, ct).ConfigureAwait(false), null);
        }
        catch (Exception e) when (e is TransferException or ArgumentException)
        {
            return ([], e);
        }
    }

    private void Write(string host, (IReadOnlyList<TransferHostKey> Keys, Exception? Error) answer)
    {
        if (answer.Error is { } error) WriteError(Record(error, host));
        WriteObject(answer.Keys, enumerateCollection: true);
    }
}
