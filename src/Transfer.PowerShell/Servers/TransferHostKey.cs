namespace Transfer.PowerShell;

/// <summary>A key that an SSH host has shown: the output of <c>Get-TransferHostKey</c>. An attacker in between can show another.</summary>
public sealed record TransferHostKey
{
    /// <summary>The host, as given.</summary>
    public required string ComputerName { get; init; }

    /// <summary>The key's type, for example ssh-ed25519.</summary>
    public required string Type { get; init; }

    /// <summary>The key's length in bits.</summary>
    public required int Bits { get; init; }

    /// <summary>The fingerprint, for <c>-Pin</c>: SHA256:… as <c>ssh-keygen -l</c> prints.</summary>
    public required string Fingerprint { get; init; }

    /// <summary>The type and the key in base64, as in .pub files.</summary>
    public required string PublicKey { get; init; }

    /// <summary>The line for known_hosts.</summary>
    public required string KnownHostsLine { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Fingerprint;
}
