using Transfer.ServerTests;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Clients;

namespace Transfer.Wan.Servers;

/// <summary>The servers at the far end, each started when a scenario first needs it.</summary>
internal sealed class FarServers(ServerPlace far) : IAsyncDisposable
{
    private readonly Dictionary<(string, Protocol), ServerAccess> _started = [];
    private readonly List<RealServer> _servers = [];
    private LighttpdServer? _web;

    private static string OwnCommand => $"SetEnv PATH={Path.GetDirectoryName(TransferClientCommand.Path)}:/usr/local/bin:/usr/bin:/bin";

    /// <summary>Why a server cannot be started here; null: it can.</summary>
    public static string? WhyNot(string server)
    {
        if (!Environment.IsPrivilegedProcess) return "the servers switch users, so only root can start them";
        if (server == ServerNames.Lighttpd)
            return File.Exists(LighttpdServer.Program) ? null : "lighttpd is not installed: ./build.sh wan installs it";
        try
        {
            ServerFiles.ThrowIfMissing();
            return null;
        }
        catch (InvalidOperationException missing)
        {
            return missing.Message;
        }
    }

    public async Task<ServerAccess> GetAsync(string server, Protocol protocol)
    {
        if (_started.TryGetValue((server, protocol), out var access)) return access;
        access = protocol == Protocol.HTTP ? await StartWebAsync() : await StartAsync(server, protocol);
        _started.Add((server, protocol), access);
        return access;
    }

    public async ValueTask DisposeAsync()
    {
        _web?.Dispose();
        // Each may take seconds to end its sessions.
        await Task.WhenAll(_servers.Select(server => Task.Run(async () => await server.DisposeAsync())));
    }

    private async Task<ServerAccess> StartAsync(string server, Protocol protocol)
    {
        if (_servers.Count == 0) Certificates.TrustAuthority(TestHost.Folder);
        var kind = server switch
        {
            ServerNames.Vsftpd => ServerKind.Vsftpd,
            ServerNames.Proftpd => ServerKind.Proftpd,
            ServerNames.PureFtpd => ServerKind.PureFtpd,
            ServerNames.OpenSsh or ServerNames.OpenSshWithTransfer => ServerKind.OpenSsh,
            _ => throw new ArgumentException($"There is no server {server}.", nameof(server)),
        };
        var variant = protocol switch
        {
            Protocol.FTP => ServerVariant.Plain,
            Protocol.FTPS => kind == ServerKind.PureFtpd ? ServerVariant.Explicit : ServerVariant.ExplicitReuse,
            // As it is installed: the limit that decides how many connections log in at once is sshd's own.
            // The MACs, which count beside aes-ctr only, are those that the compared clients have in common.
            _ => ServerVariant.Sftp with
            {
                IsHashedSlowly = true,
                SshSettings = "MaxStartups 10:30:100\nMACs hmac-sha2-256-etm@openssh.com,hmac-sha2-256\n"
                    + (server == ServerNames.OpenSshWithTransfer ? OwnCommand : string.Empty)
            },
        };
        // Peers take passwords from files and variables that each quotes in its own way.
        var started = await RealServer.StartAsync(kind, variant with
        {
            Place = far,
            Password = "plain" + Guid.NewGuid().ToString("N"),
            LogsCommands = false,
        });
        _servers.Add(started);
        var ssh = started as SshServer;
        return new ServerAccess
        {
            Name = server,
            Protocol = protocol,
            Host = far.Address.ToString(),
            Port = started.Port,
            User = started.Credential.UserName,
            Password = started.Credential.Password,
            Root = started.Root,
            Home = started.Home,
            Identity = ssh is null ? string.Empty : SshKeys.PlainUser("ed25519"),
            KnownHosts = ssh?.KnownHosts ?? string.Empty,
        };
    }

    private async Task<ServerAccess> StartWebAsync()
    {
        _web = await LighttpdServer.StartAsync(far);
        return new ServerAccess
        {
            Name = ServerNames.Lighttpd,
            Protocol = Protocol.HTTP,
            Host = far.Address.ToString(),
            Port = _web.Port,
            Root = _web.Root
        };
    }
}
