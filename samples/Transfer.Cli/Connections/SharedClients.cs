using Transfer.Cli.Credentials;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Connections;

/// <summary>The clients of several runs. The log-in options are for one server and never reach another.</summary>
/// <param name="Clients">The clients.</param>
/// <param name="Server">The server that the log-in options are for; null: none is.</param>
/// <param name="Login">The log-in options.</param>
internal sealed record SharedClients(OpenClients Clients, TransferUrl? Server, LoginArguments Login)
{
    /// <summary>The log-in options for a URL, and whether TRANSFER_PASSWORD is meant for its server.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="own">The options of the run itself.</param>
    public (LoginArguments Login, bool Ambient) LoginFor(TransferUrl url, LoginArguments own) =>
        Server is not null && Server.IsSameServer(url) ? (Login, true) : (own, false);
}
