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
    private readonly FtpClients _ftp = new(host, messages, settings, loggers);
    private readonly SftpClients _sftp = new(host, messages, settings, loggers);
    private readonly List<(TransferUrl Url, LoginArguments Arguments, string Side, TransferClient Client)> _open = [];

    /// <summary>How the servers are reached.</summary>
    public ConnectionSettings Settings => settings;

    /// <summary>The client for a URL. Nothing is connected yet, but a password or a key's passphrase may be asked for.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="arguments">The log-in options that are meant for this URL.</param>
    /// <param name="side">The prefix of the options of the command's side that the URL is on.</param>
    /// <param name="ambient">TRANSFER_PASSWORD may be used.</param>
    /// <param name="ct">Cancels a question at the terminal.</param>
    public async ValueTask<TransferClient> OpenAsync(
        TransferUrl url, LoginArguments arguments, string side, bool ambient, CancellationToken ct)
    {
        foreach (var open in _open)
        {
            // Where no option says another log-in, the same URL has the same one. SFTP servers may then copy by themselves. FTP's cannot,
            // and with one session a server that cannot would need two clients.
            var sameLogin = ReferenceEquals(open.Arguments, arguments) || open.Arguments.Given.Count == 0 && arguments.Given.Count == 0;
            var sameSide = open.Side == side || url.IsSftp && settings.Sessions != 1;
            if (sameLogin && sameSide && open.Url.IsSameServer(url) && open.Url.User == url.User && open.Url.Password == url.Password)
                return open.Client;
        }

        if (arguments is { Insecure: true, Pins.Count: > 0 })
            throw new UsageException($"{arguments.Prefix}insecure and {arguments.Prefix}pin contradict each other.");
        if (url.IsSftp) _sftp.Check(arguments);
        else _ftp.Check(url, arguments);
        var login = _logins.Resolve(url, arguments, ambient, ct);
        TransferClient client = url.IsSftp ? await _sftp.CreateAsync(url, arguments, login, ct) : _ftp.Create(url, arguments, login);
        if (login.IsTyped && !await IsLetInAsync(client, url, ct))
            client = _ftp.Create(url, arguments, _logins.Resolve(url, arguments, ambient, ct));
        _open.Add((url, arguments, side, client));
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
        _sftp.Dispose();
    }
}
