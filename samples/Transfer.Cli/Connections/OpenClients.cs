using Microsoft.Extensions.Logging;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Connections;

/// <summary>The clients that are made once and used again, one a server and log-in: those of a run, or of all lines of a script.</summary>
internal sealed class OpenClients(CommandHost host, Messages messages, ConnectionSettings settings, ILoggerFactory loggers)
    : IAsyncDisposable
{
    private readonly LoginResolver _logins = new(host, messages);
    private readonly Dictionary<ConnectionSettings, (FtpClients Ftp, SftpClients Sftp)> _makers = new(ReferenceEqualityComparer.Instance);
    private readonly List<Opened> _open = [];

    /// <summary>How the servers are reached, except those of profiles.</summary>
    public ConnectionSettings Settings => settings;

    /// <summary>The client for a URL. Nothing is connected yet, but a password or a key's passphrase may be asked for.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="arguments">The log-in options that are meant for this URL.</param>
    /// <param name="side">The prefix of the options of the command's side that the URL is on.</param>
    /// <param name="ambient">TRANSFER_PASSWORD may be used.</param>
    /// <param name="own">How this server is reached; null: as the others.</param>
    /// <param name="ct">Cancels a question at the terminal.</param>
    public async ValueTask<TransferClient> OpenAsync(
        TransferUrl url, LoginArguments arguments, string side, bool ambient, ConnectionSettings? own, CancellationToken ct)
    {
        var how = own ?? settings;
        foreach (var open in _open)
        {
            // Where no option says another log-in, the same URL has the same one. SFTP servers may then copy by themselves. FTP's cannot,
            // and with one session a server that cannot would need two clients.
            var sameLogin = ReferenceEquals(open.Arguments, arguments) || open.Arguments.Given.Count == 0 && arguments.Given.Count == 0;
            var sameSide = open.Side == side || url.IsSftp && how.Sessions != 1;
            var sameUser = open.Url.IsSameServer(url) && open.Url.User == url.User && open.Url.Password == url.Password;
            if (ReferenceEquals(open.Settings, how) && sameLogin && sameSide && sameUser) return open.Client;
        }

        if (arguments is { Insecure: true, Pins.Count: > 0 })
            throw new UsageException($"{arguments.Prefix}insecure and {arguments.Prefix}pin contradict each other.");
        var (ftp, sftp) = MakersOf(how);
        if (url.IsSftp) sftp.Check(arguments);
        else ftp.Check(url, arguments);
        var login = _logins.Resolve(url, arguments, ambient, ct);
        TransferClient client = url.IsSftp ? await sftp.CreateAsync(url, arguments, login, ct) : ftp.Create(url, arguments, login);
        if (login.IsTyped && !await IsLetInAsync(client, url, ct))
            client = ftp.Create(url, arguments, _logins.Resolve(url, arguments, ambient, ct));
        _open.Add(new Opened(url, arguments, side, how, client));
        return client;
    }

    // A mistyped password is asked for once more, and no more often: servers lock users out. SSH servers ask by themselves.
    private async ValueTask<bool> IsLetInAsync(TransferClient client, TransferUrl url, CancellationToken ct)
    {
        try
        {
            await client.ConnectAsync(ct);
            return true;
        }
        catch (TransferException e)
        {
            await client.DisposeAsync();
            if (e.Error != TransferError.Auth) throw;
            messages.Error($"{url.Redacted}: {e.Message}");
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var open in _open) await open.Client.DisposeAsync();
        foreach (var (_, sftp) in _makers.Values) sftp.Dispose();
    }

    private (FtpClients Ftp, SftpClients Sftp) MakersOf(ConnectionSettings how)
    {
        if (!_makers.TryGetValue(how, out var makers))
            _makers.Add(how, makers = (new FtpClients(host, messages, how, loggers), new SftpClients(host, messages, how, loggers)));
        return makers;
    }

    private sealed record Opened(
        TransferUrl Url, LoginArguments Arguments, string Side, ConnectionSettings Settings, TransferClient Client);
}
