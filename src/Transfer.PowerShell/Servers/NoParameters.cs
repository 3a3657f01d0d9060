using System.Management.Automation;
using System.Security;

namespace Transfer.PowerShell.Servers;

/// <summary>The parameters of a command that connects by a URI alone.</summary>
internal sealed class NoParameters : IConnectionParameters
{
    public string[] IdentityFile => [];

    public SecureString? Passphrase => null;

    public string[] Pin => [];

    public SwitchParameter AcceptNewHostKey => false;

    public string? KnownHostsFile => null;

    public SwitchParameter UseSshConfig => false;

    public string[] Jump => [];

    public Uri? Proxy => null;

    public PSCredential? ProxyCredential => null;

    public int? MaxSessions => null;

    public TimeSpan? IdleTimeout => null;
}
