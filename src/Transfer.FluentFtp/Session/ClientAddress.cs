using FluentFTP;

namespace Transfer.FluentFtp.Session;

/// <summary>The address of a client of FluentFTP as a URL, without the password.</summary>
internal static class ClientAddress
{
    private const string Anonymous = "anonymous";

    /// <summary>The URL.</summary>
    /// <param name="client">The client.</param>
    /// <param name="path">The folder that relative paths begin in.</param>
    /// <exception cref="ArgumentException">The path is relative, or the client has no host.</exception>
    public static Uri Of(AsyncFtpClient client, string path)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(path);
        if (!path.StartsWith('/'))
            throw new ArgumentException($"{path} is relative: it must be absolute, or the log-in folder (/~) and below it.", nameof(path));
        RemotePath.ThrowIfInvalid(path);
        if (string.IsNullOrEmpty(client.Host)) throw new ArgumentException("The client of FluentFTP has no host.", nameof(client));
        var scheme = client.Config.EncryptionMode switch
        {
            FtpEncryptionMode.Explicit => "ftpes",
            FtpEncryptionMode.Implicit => "ftps",
            _ => "ftp",
        };
        var user = client.Credentials?.UserName is { Length: > 0 } name && name != Anonymous ? Uri.EscapeDataString(name) : string.Empty;
        var escaped = string.Join('/', path.Split('/').Select(Uri.EscapeDataString));
        return new UriBuilder(scheme, client.Host, client.Port, escaped) { UserName = user }.Uri;
    }
}
