using System.Management.Automation;
using System.Security;

namespace Transfer.PowerShell.Servers;

/// <summary>How a server is reached and logged in to: the parameters that Connect-TransferServer and New-PSDrive share.</summary>
internal interface IConnectionParameters
{
    /// <summary>Private key files.</summary>
    string[] IdentityFile { get; }

    /// <summary>The passphrase of the key files.</summary>
    SecureString? Passphrase { get; }

    /// <summary>Fingerprints (SHA256:…) of the host key, or the certificate.</summary>
    string[] Pin { get; }

    /// <summary>A host key that is not known is accepted, and remembered.</summary>
    SwitchParameter AcceptNewHostKey { get; }

    /// <summary>The known_hosts file.</summary>
    string? KnownHostsFile { get; }

    /// <summary>The options of ssh_config(5) count.</summary>
    SwitchParameter UseSshConfig { get; }

    /// <summary>SSH hosts to go through.</summary>
    string[] Jump { get; }

    /// <summary>A proxy to go through.</summary>
    Uri? Proxy { get; }

    /// <summary>User and password of the proxy.</summary>
    PSCredential? ProxyCredential { get; }

    /// <summary>Most sessions at once.</summary>
    int? MaxSessions { get; }

    /// <summary>After so long without an answer a session is given up.</summary>
    TimeSpan? IdleTimeout { get; }
}
