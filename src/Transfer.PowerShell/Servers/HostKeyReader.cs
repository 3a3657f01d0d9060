using Transfer.PowerShell.Clients;
using Transfer.Sftp;

namespace Transfer.PowerShell.Servers;

/// <summary>Reads the keys of SSH hosts.</summary>
internal static class HostKeyReader
{
    /// <summary>The keys of a host.</summary>
    /// <param name="host">The host's name or address.</param>
    /// <param name="port">The port; null: that of the configuration, or 22.</param>
    /// <param name="way">The way to the host; its URI is not used.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="ArgumentException">The host's name or the way is not valid.</exception>
    /// <exception cref="TransferException">The host is not reached, or has no key of a supported type.</exception>
    public static async Task<IReadOnlyList<TransferHostKey>> ReadAsync(
        string host, int? port, Func<Uri, ClientSettings> way, CancellationToken ct)
    {
        if (Uri.CheckHostName(host.Trim('[', ']')) == UriHostNameType.Unknown)
            throw new ArgumentException($"'{host}' is no name of a host, and no address; a port is given by -Port.");
        var keys = await ClientSource.ReadHostKeysAsync(way(new UriBuilder("sftp", host, port ?? -1).Uri), ct).ConfigureAwait(false);
        return [.. keys.Select(key => Of(host, key))];
    }

    private static TransferHostKey Of(string host, SshHostKey key) => new()
    {
        ComputerName = host,
        Type = key.Type,
        Bits = key.Bits,
        Fingerprint = key.Fingerprint,
        PublicKey = key.PublicKey,
        KnownHostsLine = key.KnownHostsLine,
    };
}
