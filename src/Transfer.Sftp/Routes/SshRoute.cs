using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Transfer.Sessions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Config;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Routes;

/// <summary>
/// Connects to the endpoint's host and logs in, through other hosts where the options or the configuration name them. The configuration is
/// read once.
/// </summary>
internal sealed class SshRoute : ISshConnector, IDisposable
{
    private readonly SshJumpHost _endpoint;
    private readonly SftpOptions _options;
    private readonly SegmentPool _segments;
    private readonly Action<TimeSpan> _onRoundTrip;
    private readonly ILogger _logger;
    private readonly LogInKeys _keys;
    private readonly SemaphoreSlim _planning = new(1);
    private RouteHost? _last;

    public SshRoute(SshJumpHost endpoint, SftpOptions options, SegmentPool segments, Action<TimeSpan> onRoundTrip, ILogger logger)
    {
        _endpoint = endpoint;
        _options = options;
        _segments = segments;
        _onRoundTrip = onRoundTrip;
        _logger = logger;
        _keys = new LogInKeys(options, logger);

        // Invalid options are refused in the constructor.
        _ = new HostTrust(options.HostKeys, options.TimeProvider, logger);
        foreach (var hop in options.Jump ?? []) _ = new HostTrust(hop.HostKeys ?? options.HostKeys, options.TimeProvider, logger);
    }

    public async ValueTask<ISshSessions> ConnectAsync(EarlyUse? early, CancellationToken ct) =>
        await UseAsync<ISshSessions>(async host => await host.ConnectAsync(early, ct).ConfigureAwait(false), ct).ConfigureAwait(false);

    /// <summary>Reads the keys of the endpoint's host without a log-in there. The hosts before are logged in to as ever.</summary>
    public Task<IReadOnlyList<SshHostKey>> ReadHostKeysAsync(CancellationToken ct) => UseAsync(host => host.ReadKeysAsync(ct), ct);

    public void Dispose()
    {
        _keys.Dispose();
        _planning.Dispose();
    }

    private async Task<T> UseAsync<T>(Func<RouteHost, Task<T>> use, CancellationToken ct)
    {
        try
        {
            return await use(await PlanAsync(ct).ConfigureAwait(false)).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not (TransferConnectionException or LogInHeldException))
        {
            throw new TransferConnectionException(e.Error, e.Message, e);
        }
    }

    private async ValueTask<RouteHost> PlanAsync(CancellationToken ct)
    {
        if (Volatile.Read(ref _last) is { } known) return known;
        await _planning.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_last is not null) return _last;
            var home = _options.Config?.HomeDirectory ?? Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
            var config = _options.Config is { } wanted
                ? await SshConfigFile.LoadAsync(wanted.Files ?? [.. SshFolders.User(home, "config"), SshConfigOptions.SystemFile], home,
                    _logger, ct).ConfigureAwait(false)
                : null;
            RouteHost? last = null;
            var way = RoutePlanner.Plan(_endpoint, _options, config, home);
            foreach (var plan in way)
            {
                Log.RouteHost(_logger, plan.User, HostName.Display(plan.Host, plan.Port));
                // The round trip of the whole route: an earlier host's would be too short.
                var settings = Settings(plan) with { OnRoundTrip = ReferenceEquals(plan, way[^1]) ? _onRoundTrip : null };
                last = new RouteHost(settings, token => _keys.ListAsync(plan, token), last);
            }

            Volatile.Write(ref _last, last);
            return last!;
        }
        finally
        {
            _planning.Release();
        }
    }

    private SshConnectionSettings Settings(HostPlan plan) => new()
    {
        Host = plan.Host,
        Port = plan.Port,
        User = plan.User,
        HostKeyAlias = plan.HostKeyAlias,
        Credential = plan.Credential,
        Dial = DialFor(plan.Config),
        DialHints = new DialHints { Sends = true },
        TunnelTimeout = _options.Dial.ConnectTimeout,
        Trust = new HostTrust(plan.HostKeys, _options.TimeProvider, _logger, plan.KnownHostsFiles, plan.Config.HostKeyRules),
        Interaction = plan.Config.IsBatchMode ? null : _options.Interaction,
        LogInRules = plan.Config.LogInRules,
        Algorithms = plan.Config.Algorithms,
        Rekey = plan.Config.Rekey,
        IdleTimeout = _options.IdleTimeout,
        LogInTimeout = _options.LogInTimeout,
        Segments = _segments,
        Logger = _logger,
        TimeProvider = _options.TimeProvider,
    };

    /// <summary>The address settings of the options have precedence over the configuration.</summary>
    private DialOptions DialFor(SshHostConfig said)
    {
        var dial = _options.Dial;
        if (dial.AddressFamily == AddressFamily.Unspecified) dial = dial with { AddressFamily = said.AddressFamily };
        if (dial.LocalEndPoint is null && said.BindAddress is { } address) dial = dial with { LocalEndPoint = new IPEndPoint(address, 0) };
        return dial;
    }
}
