using Transfer.Cli.Credentials;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Connections;

/// <summary>Finds the clients of one run: its own, which are closed with it, or those that the lines of a script share.</summary>
internal sealed class Connector : IAsyncDisposable
{
    private readonly OpenClients _clients;
    private readonly SharedClients? _shared;
    private readonly RunProfiles _profiles;

    /// <summary>Makes one with clients of its own.</summary>
    public Connector(OpenClients own, RunProfiles profiles) => (_clients, _profiles) = (own, profiles);

    /// <summary>Makes one over clients that go on.</summary>
    public Connector(SharedClients shared, RunProfiles profiles) =>
        (_shared, _clients, _profiles) = (shared, shared.Clients, profiles);

    /// <summary>Most files that are worth having under way at once.</summary>
    public int Parallel => _clients.Settings.Sessions ?? new TransferClientOptions().MaxSessions;

    /// <summary>The client for a URL. Nothing is connected yet, but a password or a key's passphrase may be asked for.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="arguments">The log-in options that are meant for this URL.</param>
    /// <param name="ambient">TRANSFER_PASSWORD may be used.</param>
    /// <param name="ct">Cancels a question at the terminal.</param>
    public ValueTask<TransferClient> OpenAsync(TransferUrl url, LoginArguments arguments, bool ambient, CancellationToken ct)
    {
        var (login, settings) = _profiles.For(url, arguments);
        if (_shared is not null)
        {
            // The server of a profile is not the script's: it gets no log-in that is meant for that, TRANSFER_PASSWORD's neither.
            ambient = _shared.IsFor(url);
            if (_profiles.Find(url) is null) login = ambient ? _shared.Login : arguments;
        }
        return _clients.OpenAsync(url, login, arguments.Prefix, ambient, settings, ct);
    }

    public ValueTask DisposeAsync() => _shared is null ? _clients.DisposeAsync() : default;
}
