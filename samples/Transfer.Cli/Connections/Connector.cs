using Transfer.Cli.Credentials;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Connections;

/// <summary>Finds the clients of one run: its own, which are closed with it, or those that the lines of a script share.</summary>
internal sealed class Connector : IAsyncDisposable
{
    private readonly OpenClients _clients;
    private readonly SharedClients? _shared;

    /// <summary>Makes one with clients of its own.</summary>
    public Connector(OpenClients own) => _clients = own;

    /// <summary>Makes one over clients that go on.</summary>
    public Connector(SharedClients shared) => (_shared, _clients) = (shared, shared.Clients);

    /// <summary>Most files that are worth having under way at once.</summary>
    public int Parallel => _clients.Settings.Sessions ?? new TransferClientOptions().MaxSessions;

    /// <summary>The client for a URL. Nothing is connected yet, but a password or a key's passphrase may be asked for.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="arguments">The log-in options that are meant for this URL.</param>
    /// <param name="ambient">TRANSFER_PASSWORD may be used.</param>
    /// <param name="ct">Cancels a question at the terminal.</param>
    public ValueTask<TransferClient> OpenAsync(TransferUrl url, LoginArguments arguments, bool ambient, CancellationToken ct)
    {
        var login = _shared is null ? (arguments, ambient) : _shared.LoginFor(url, arguments);
        return _clients.OpenAsync(url, login.Item1, arguments.Prefix, login.Item2, ct);
    }

    public ValueTask DisposeAsync() => _shared is null ? _clients.DisposeAsync() : default;
}
