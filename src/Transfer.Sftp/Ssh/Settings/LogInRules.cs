using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Settings;

/// <summary>A configuration's rules for the log-in to a host.</summary>
internal sealed record LogInRules
{
    public bool PublicKey { get; init; } = true;

    public bool Password { get; init; } = true;

    public bool KeyboardInteractive { get; init; } = true;

    /// <summary>The only methods, in the order to try them; null: all, in the client's order.</summary>
    public IReadOnlyList<string>? Preferred { get; init; }

    /// <summary>The only algorithms that keys sign by, best first; null: all built-in ones.</summary>
    public IReadOnlyList<string>? SignatureAlgorithms { get; init; }

    /// <summary>The shortest RSA key, in bits.</summary>
    public int MinimumRsaBits { get; init; }

    /// <summary>Whether some method is excluded.</summary>
    public bool IsRestricted => Preferred is not null || !PublicKey || !Password || !KeyboardInteractive;

    /// <summary>True when the key may be offered: a permitted algorithm remains, and the key is long enough.</summary>
    public bool Allows(SshPublicKey key) => PublicKey
        && (SignatureAlgorithms is null || key.SignatureAlgorithms.Any(SignatureAlgorithms.Contains))
        && !(((key as SshCertificate)?.Key ?? key) is RsaPublicKey { Bits: var bits } && bits < MinimumRsaBits);

    /// <summary>Returns the permitted methods, in the order to try them.</summary>
    public IEnumerable<T> Order<T>(IEnumerable<T> methods, Func<T, string> nameOf)
    {
        var allowed = methods.Where(method => Allows(nameOf(method))).ToList();
        return Preferred is not { } names ? allowed : names.Distinct().SelectMany(name => allowed.Where(method => nameOf(method) == name));
    }

    /// <summary>True when the method may be tried.</summary>
    public bool Allows(string method) => (Preferred is null || Preferred.Contains(method)) && method switch
    {
        AuthMessages.PublicKey => PublicKey,
        AuthMessages.Password => Password,
        AuthMessages.KeyboardInteractive => KeyboardInteractive,
        _ => true,
    };
}
