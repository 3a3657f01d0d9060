using System.Management.Automation;
using System.Security;

namespace Transfer.PowerShell;

/// <summary>Secrets as the libraries take them.</summary>
internal static class SecretText
{
    /// <summary>The text of a secret; null: there is none.</summary>
    public static string? Of(SecureString? secret) =>
        secret is null ? null : new PSCredential("secret", secret).GetNetworkCredential().Password;
}
