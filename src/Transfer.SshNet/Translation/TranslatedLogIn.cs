using Renci.SshNet;
using Transfer.Sftp;

namespace Transfer.SshNet.Translation;

/// <summary>
/// Authentication methods as a log-in of Transfer.Sftp. SSH.NET exposes neither passwords nor the handlers of questions.
/// </summary>
internal static class TranslatedLogIn
{
    /// <summary>Returns the options with the keys of a connection's methods.</summary>
    /// <param name="options">Hold the values that can't be read: the password, answers, and keys that are no files.</param>
    /// <param name="connection">The connection.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="ArgumentException">A value is missing from the options.</exception>
    /// <exception cref="NotSupportedException">A method or key has no counterpart.</exception>
    public static async ValueTask<SftpOptions> AddAsync(SftpOptions options, ConnectionInfo connection, CancellationToken ct)
    {
        var identities = new List<SshIdentity>();
        try
        {
            for (var i = 0; i < connection.AuthenticationMethods.Count; i++)
            {
                var (method, name) = (connection.AuthenticationMethods[i], $"{nameof(ConnectionInfo.AuthenticationMethods)}[{i}]");
                if (method.Username != connection.Username)
                    throw new NotSupportedException($"{name}: its user is another one than the connection's.");
                switch (method)
                {
                    case PrivateKeyAuthenticationMethod { KeyFiles: var keys }:
                        // Identities of the options replace the keys, some of which can't be read.
                        if (options.Identities.Count > 0) break;
                        foreach (var key in keys)
                            identities.Add(await TranslatedKeys.ToIdentityAsync(key, name, ct).ConfigureAwait(false));
                        break;
                    case PasswordAuthenticationMethod when options.Credential is null:
                        throw new ArgumentException($"{name}: SSH.NET does not give its password. Give Credential.", nameof(options));
                    case KeyboardInteractiveAuthenticationMethod when options.Interaction is null && options.Credential is null:
                        throw new ArgumentException($"{name}: SSH.NET does not give its handlers. Give Interaction, or Credential.",
                            nameof(options));
                    case PasswordAuthenticationMethod or KeyboardInteractiveAuthenticationMethod or NoneAuthenticationMethod:
                        break;
                    default:
                        throw new NotSupportedException($"{name}: a {method.GetType().Name} has no counterpart.");
                }
            }
            if (options.Credential is { } credential && credential.UserName != connection.Username)
                throw new ArgumentException("Credential: its user is another one than the connection's.", nameof(options));
            return identities.Count > 0 ? options with { Identities = identities } : options;
        }
        catch
        {
            foreach (var identity in identities) identity.Dispose();
            throw;
        }
    }
}
