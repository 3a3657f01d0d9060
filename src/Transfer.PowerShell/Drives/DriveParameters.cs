using System.Management.Automation;
using System.Security;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Drives;

/// <summary>
/// The parameters of New-PSDrive for a drive of this provider, beside its own: those of Connect-TransferServer, or a connected server.
/// </summary>
internal sealed class DriveParameters : IConnectionParameters
{
    /// <summary>
    /// A connected server, or its name: the drive's root is a folder of this server. By default the root is a URI, and the drive connects
    /// by itself.
    /// </summary>
    [Parameter]
    [ArgumentCompleter(typeof(ServerCompleter))]
    [ValidateNotNull]
    public object? Server { get; set; }

    /// <inheritdoc/>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string[] IdentityFile { get; set; } = [];

    /// <inheritdoc/>
    [Parameter]
    public SecureString? Passphrase { get; set; }

    /// <inheritdoc/>
    [Parameter]
    [ArgumentCompleter(typeof(PinCompleter))]
    [ValidateNotNullOrEmpty]
    public string[] Pin { get; set; } = [];

    /// <inheritdoc/>
    [Parameter]
    public SwitchParameter AcceptNewHostKey { get; set; }

    /// <inheritdoc/>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string? KnownHostsFile { get; set; }

    /// <inheritdoc/>
    [Parameter]
    public SwitchParameter UseSshConfig { get; set; }

    /// <inheritdoc/>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string[] Jump { get; set; } = [];

    /// <inheritdoc/>
    [Parameter]
    [ValidateNotNull]
    public Uri? Proxy { get; set; }

    /// <inheritdoc/>
    [Parameter]
    [Credential]
    public PSCredential? ProxyCredential { get; set; }

    /// <inheritdoc/>
    [Parameter]
    [ValidateRange(1, 1000)]
    public int? MaxSessions { get; set; }

    /// <inheritdoc/>
    [Parameter]
    public TimeSpan? IdleTimeout { get; set; }

    /// <summary>Something is given that only a drive which connects by itself has a use for.</summary>
    public bool Connects => IdentityFile.Length + Pin.Length + Jump.Length > 0
        || (Passphrase ?? Proxy ?? (object?)ProxyCredential) is not null
        || AcceptNewHostKey || KnownHostsFile is not null || UseSshConfig || MaxSessions is not null || IdleTimeout is not null;
}
