using System.Text;
using Renci.SshNet;
using Transfer.Sftp;
using Transfer.SshNet.Translation;

namespace Transfer.SshNet;

/// <summary>What SSH.NET's connections are in Transfer's terms.</summary>
public static class ConnectionInfoExtensions
{
    /// <summary>The address of a connection as a URL with its user, without any secret: <c>sftp://user@host:port/path</c>.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="path">The folder: absolute, or the log-in folder and below it (<c>/~/inbox</c>).</param>
    /// <exception cref="ArgumentException">The path is relative, or holds CR, LF or NUL; or the host is none of a URL.</exception>
    public static Uri ToEndpoint(this ConnectionInfo connection, string path = RemotePath.Home)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(path);
        RemotePath.ThrowIfInvalid(path);
        if (!path.StartsWith('/'))
            throw new ArgumentException($"{path}: an endpoint's path is absolute, or begins with {RemotePath.Home}.", nameof(path));
        if (Uri.CheckHostName(connection.Host) == UriHostNameType.Unknown)
            throw new ArgumentException($"{connection.Host} is no host's name or address.", nameof(connection));
        return new UriBuilder("sftp", connection.Host, connection.Port,
            string.Join('/', path.Split('/').Select(Uri.EscapeDataString)))
        { UserName = Uri.EscapeDataString(connection.Username) }.Uri;
    }

    /// <summary>
    /// The options of a connection for Transfer.Sftp, for applications that take its engine too: private keys, proxy, encoding, time-out,
    /// algorithms that were changed, and <see cref="ConnectionInfo.MaxSessions"/>, the channels of a connection. The address is
    /// <see cref="ToEndpoint"/>'s. What has no meaning there is left out: <see cref="ConnectionInfo.RetryAttempts"/>,
    /// <see cref="ConnectionInfo.ChannelCloseTimeout"/>, <see cref="ConnectionInfo.ChannelRequests"/>, and handlers of events.
    /// </summary>
    /// <param name="connection">The connection; it need not be open, and is not changed.</param>
    /// <param name="options">
    /// Options to begin with, which have what SSH.NET does not give away: the password (<see cref="TransferClientOptions.Credential"/>),
    /// <see cref="SftpOptions.Interaction"/> for a keyboard-interactive log-in, and <see cref="SftpOptions.HostKeys"/> where host keys
    /// are pinned instead of known. <see cref="SftpOptions.Identities"/>, where there are any, take the place of the connection's keys.
    /// Null: the defaults.
    /// </param>
    /// <param name="cancellationToken">Cancels the reading of keys.</param>
    /// <returns>The options. The caller disposes of the identities that were made.</returns>
    /// <exception cref="ArgumentException">
    /// Something is missing from the options; the message names the property that needs it.
    /// </exception>
    /// <exception cref="NotSupportedException">Something has no counterpart; the message names the property.</exception>
    /// <exception cref="TransferException">
    /// A key is of a kind that Transfer.Sftp does not take, such as RSA of less than 2,048 bits.
    /// </exception>
    public static async ValueTask<SftpOptions> ToSftpOptionsAsync(this ConnectionInfo connection, SftpOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        options ??= new SftpOptions();
        var translated = options with
        {
            Dial = TranslatedDial.Of(connection, options.Dial),
            Encoding = Equals(connection.Encoding, Encoding.UTF8) ? options.Encoding : connection.Encoding,
            Algorithms = TranslatedAlgorithms.Of(connection),
            SessionsPerConnection = connection.MaxSessions,
        };
        return await TranslatedLogIn.AddAsync(translated, connection, cancellationToken).ConfigureAwait(false);
    }
}
