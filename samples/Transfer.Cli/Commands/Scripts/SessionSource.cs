using Transfer.Cli.Connections;
using Transfer.Cli.Profiles;

namespace Transfer.Cli.Commands.Scripts;

/// <summary>Opens the session of a script or a shell, and closes its clients.</summary>
internal sealed class SessionSource : IAsyncDisposable
{
    private readonly OpenClients _clients;

    private SessionSource(OpenClients clients, Session session) => (_clients, Session) = (clients, session);

    public Session Session { get; }

    /// <summary>Makes a session; nothing is connected yet.</summary>
    /// <param name="invocation">The run, whose log-in and connection options hold.</param>
    /// <param name="server">The URL that paths are relative to, and the profile that it is from; null: there is none.</param>
    /// <param name="inputIsTaken">Standard input has the lines.</param>
    public static SessionSource Open(Invocation invocation, (string Url, ServerProfile? Profile)? server, bool inputIsTaken)
    {
        var url = server is null ? null : Invocation.RemoteUrl(server.Value.Url);
        if (url?.Pattern is not null) throw new UsageException("A script has one server and one folder to begin with, and no pattern.");
        var options = invocation.Options;
        var login = invocation.Login(options.Login);
        var ofServer = login.Given.Count > 0 ? login.Given[0] : invocation.Given([.. options.FtpOnly, .. options.SftpOnly]);
        if (url is null && ofServer is { } given)
            throw new UsageException($"{given} is for one server: name that by --server.");
        var clients = invocation.CreateClients(url is null ? [] : [url]);
        var shared = new SharedClients(clients, url, url is null ? login : invocation.Profiles.For(url, login).Login);
        return new SessionSource(clients, new Session(shared, invocation.Messages, server?.Url)
        {
            InputIsTaken = inputIsTaken,
            Profile = server?.Profile,
            Profiles = invocation.Profiles,
            Configuration = invocation.Configuration,
        });
    }

    public ValueTask DisposeAsync() => _clients.DisposeAsync();
}
