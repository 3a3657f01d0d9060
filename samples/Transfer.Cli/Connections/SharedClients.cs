using Transfer.Cli.Credentials;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Connections;

/// <summary>The clients of several runs. The log-in options are for one server and user, and never reach another.</summary>
/// <param name="Clients">The clients.</param>
/// <param name="Server">The server that the log-in options are for; null: none is.</param>
/// <param name="Login">The log-in options.</param>
internal sealed record SharedClients(OpenClients Clients, TransferUrl? Server, LoginArguments Login)
{
    /// <summary>Whether the log-in options, and TRANSFER_PASSWORD, are for a URL: of the server, and of its user.</summary>
    public bool IsFor(TransferUrl url) => Server is not null && Server.IsSameServer(url) && UserOf(url) == UserOf(Server);

    private string? UserOf(TransferUrl url) => url.User ?? Login.User;
}
