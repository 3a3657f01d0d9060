using Transfer.Sftp.Keys;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Routes;

/// <summary>
/// One host of the route. A connection to the last host belongs to its user; a connection to an earlier host is shared by all that pass
/// through it, and closed with the last of them.
/// </summary>
internal sealed class RouteHost
{
    private readonly SshConnectionSettings _settings;
    private readonly Func<CancellationToken, ValueTask<IReadOnlyList<ISshSigner>>> _signers;
    private readonly RouteHost? _before;
    private readonly Lock _gate = new();
    private SharedConnection<RoutedConnection>? _shared;

    public RouteHost(SshConnectionSettings settings, Func<CancellationToken, ValueTask<IReadOnlyList<ISshSigner>>> signers,
        RouteHost? before)
    {
        _settings = settings;
        _signers = signers;
        _before = before;
    }

    /// <summary>Connects and logs in, first to the hosts before this one.</summary>
    public async Task<RoutedConnection> ConnectAsync(EarlyUse? early, CancellationToken ct)
    {
        var hop = _before is null ? null : await _before.JoinAsync(ct).ConfigureAwait(false);
        try
        {
            var signers = await _signers(ct).ConfigureAwait(false);
            var settings = _settings with { Signers = signers, Through = hop?.Connection, Early = early };
            return new RoutedConnection(await SshConnection.ConnectAsync(settings, ct).ConfigureAwait(false), hop);
        }
        catch
        {
            if (hop is not null) await hop.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Reads the host's keys without a log-in there; only the hosts before are logged in to.</summary>
    public async Task<IReadOnlyList<SshHostKey>> ReadKeysAsync(CancellationToken ct)
    {
        var hop = _before is null ? null : await _before.JoinAsync(ct).ConfigureAwait(false);
        try
        {
            return await HostKeyReader.ReadAsync(_settings with { Through = hop?.Connection }, ct).ConfigureAwait(false);
        }
        finally
        {
            if (hop is not null) await hop.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask<HopLease> JoinAsync(CancellationToken ct)
    {
        SharedConnection<RoutedConnection> shared;
        lock (_gate)
        {
            if (_shared is not { TakesMore: true })
            {
                var stop = new CancellationTokenSource();
                _shared = new SharedConnection<RoutedConnection>
                { Ready = Task.Run(() => ConnectAsync(null, stop.Token), CancellationToken.None), Stop = stop, Limit = int.MaxValue };
            }

            shared = _shared;
            shared.Users++;
        }

        try
        {
            var ready = await shared.Ready.WaitAsync(ct).ConfigureAwait(false);
            return new HopLease(ready.Connection, () => ReleaseAsync(shared));
        }
        catch
        {
            await ReleaseAsync(shared).ConfigureAwait(false);
            throw;
        }
    }

    private async ValueTask ReleaseAsync(SharedConnection<RoutedConnection> shared)
    {
        lock (_gate)
        {
            if (--shared.Users > 0) return;
            if (ReferenceEquals(_shared, shared)) _shared = null;
        }

        await shared.CloseAsync().ConfigureAwait(false);
    }
}
