using System.Text;
using Renci.SshNet;
using Transfer.Sftp;
using Transfer.SshNet.Translation;

namespace Transfer.SshNet;

/// <summary>Translates SSH.NET's connections into Transfer's terms.</summary>
public static class ConnectionInfoExtensions
{
    /// <summary>
    /// Returns the address of a connection as a URL with its user, without any secret: <c>sftp://user@host:port/path</c>.
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <param name="path">The folder: absolute, or the log-in folder and below it (<c>/~/inbox</c>).</param>
    /// <exception cref="ArgumentException">The path is relative, or holds CR, LF or NUL; or the host is invalid in a URL.</exception>
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
    /// Returns the options of a connection for Transfer.Sftp, for applications that take its engine, too: private keys, proxy, encoding,
    /// time-out, changed algorithms, and <see cref="ConnectionInfo.MaxSessions"/>, the channels of a connection. <see cref="ToEndpoint"/>
    /// gives the address. Properties without a meaning there are left out: <see cref="ConnectionInfo.RetryAttempts"/>,
    /// <see cref="ConnectionInfo.ChannelCloseTimeout"/>, <see cref="ConnectionInfo.ChannelRequests"/>, and handlers of events.
    /// </summary>
    /// <param name="connection">The connection; need not be open, and is not changed.</param>
    /// <param name="options">
    /// Options to begin with, which hold the values that SSH.NET does not expose: the password
    /// (<see cref="TransferClientOptions.Credential"/>), <see cref="SftpOptions.Interaction"/> for a keyboard-interactive log-in, and
    /// <see cref="SftpOptions.HostKeys"/> where host keys are pinned instead of known. <see cref="SftpOptions.Identities"/>, if any,
    /// replace the connection's keys. Null: the defaults.
    /// </param>
    /// <param name="cancellationToken">Cancels the reading of keys.</param>
    /// <returns>The options. The caller disposes of the identities created.</returns>
    /// <exception cref="ArgumentException">
    /// A value is missing from the options; the message names the property that requires it.
    /// </exception>
    /// <exception cref="NotSupportedException">A property has no counterpart; the message names it.</exception>
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
