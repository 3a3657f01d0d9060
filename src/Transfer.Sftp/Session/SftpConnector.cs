using Microsoft.Extensions.Logging;
using Transfer.Pooling;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>
/// Opens sessions, spread over connections: each joins the connection with the fewest, up to the limit of options or server. Only some
/// connections are made at a time: sshd drops those beyond MaxStartups before their log-in. The last session closes its connection.
/// </summary>
internal sealed class SftpConnector
{
    // OpenSSH drops none below ten.
    private const int MostConnecting = 8;

    // Commands stream, so on a short path they fill one connection, and several would wait for the slowest. But a connection carries no
    // more in a round trip than the system's send buffer holds, 4 MiB with the system's own need: at 100 ms four channels got 29 MB/s out
    // of one connection, and 16 alone.
    private const int MostForCommands = 4;
    private static readonly TimeSpan LongPath = TimeSpan.FromMilliseconds(25);

    // How often a refused command is tried again once sessions have made room. Of several commands some may be too many for any room.
    private const int MostForRoom = 3;

    private readonly ISshConnector _ssh;
    private readonly SftpOptions _options;
    private readonly ILogger _logger;
    private readonly Func<int> _paying;
    private readonly Func<CancellationToken, ValueTask<bool>> _makeRoom;
    private readonly SftpServerState _state;
    private readonly PlaceLimit _connecting = new(MostConnecting);
    private readonly Lock _gate = new();
    private readonly List<SharedConnection<ISshSessions>> _connections = [];
    private int _spread;
    private int _perConnection;
    private bool _hasOneTimeLogIn;
    private volatile bool _opened; // a session
    private TimeSpan _roundTrip; // as commands have found it

    /// <param name="ssh">Makes the connections.</param>
    /// <param name="options">The options of the client.</param>
    /// <param name="segments">The memory of the connections.</param>
    /// <param name="paying">Returns the number of connections that the present work pays for; further sessions share these.</param>
    /// <param name="logger">The log.</param>
    /// <param name="memory">Remembers traits of the server; null: nothing is remembered.</param>
    /// <param name="makeRoom">Closes sessions that are not in use; false: there are none. Null: all sessions stay.</param>
    public SftpConnector(
        ISshConnector ssh, SftpOptions options, SegmentPool segments, Func<int> paying, ILogger logger, ServerMemory? memory = null,
        Func<CancellationToken, ValueTask<bool>>? makeRoom = null)
    {
        _makeRoom = makeRoom ?? (static _ => new(false));
        _paying = paying;
        _ssh = ssh;
        _options = options;
        _state = new SftpServerState
        {
            Memory = SftpMemory.Of(options, segments),
            Hashes = new ShellHashes(options, logger),
            Traits = new SftpTraits(memory, options.Compatibility),
        };
        _spread = options.Connections;
        _perConnection = options.SessionsPerConnection;
        _logger = logger;
    }

    public async ValueTask<SftpSession> OpenAsync(CancellationToken ct)
    {
        _ = _state.Traits.RecallAsync();
        while (true)
        {
            var careful = _state.SendsStepwise;
            TransferConnectionException? suspect = null;
            try
            {
                var session = await OnConnectionAsync(OpenHereAsync, isCommand: false, ct).ConfigureAwait(false);
                _opened = true;
                return session;
            }
            catch (TransferConnectionException lost) when (lost == suspect)
            {
                TurnStepwise(lost);
            }

            async ValueTask<SftpSession> OpenHereAsync(SharedConnection<ISshSessions> shared, ISshSessions ssh, CancellationToken token)
            {
                try
                {
                    return await OpenOnAsync(shared, ssh, token).ConfigureAwait(false);
                }
                catch (TransferConnectionException lost) when (!careful && MayHaveBeenOverloaded(lost))
                {
                    suspect = lost;
                    throw;
                }
            }
        }
    }

    /// <summary>Whether a failure to open another session beside open ones can only mean that the server allows no more.</summary>
    public bool IsLimit(TransferException error)
    {
        if (error is ConnectionFullException) return true;
        // The server drops the connection or refuses its log-in, or a jump host opens no further tunnel.
        if (error is TransferConnectionException { Error: not (TransferError.Lost or TransferError.Denied or TransferError.Auth) })
            return false;
        lock (_gate) return _connections.Exists(other => other.Ready is { IsCompletedSuccessfully: true, Result.Usable: true });
    }

    /// <summary>
    /// Starts a command on a channel of its own. Like a session, the channel has a place on a connection, which lives as long as either.
    /// Where the server refuses the channel beside sessions that are not in use, such as those opened ahead, these make room.
    /// </summary>
    public async ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct)
    {
        var hasRoom = false;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await OpenCommandHereAsync(command, ct).ConfigureAwait(false);
            }
            catch (TransferException refused) when (IsRefusedBesideOthers(refused))
            {
                if (await _makeRoom(ct).ConfigureAwait(false)) hasRoom = true;
                if (!hasRoom || attempt > Math.Min(MostForRoom, _options.Retry.Attempts)) throw;
                Log.MakesRoom(_logger, refused.Message);
            }
            if (attempt == 1) continue;
            // A server may be late to count the closed connections no longer.
            await Task.Delay(_options.Retry.DelayAfter(attempt - 1, Random.Shared.NextDouble()), _options.TimeProvider, ct)
                .ConfigureAwait(false);
        }
    }

    private bool IsRefusedBesideOthers(TransferException error) =>
        IsLimit(error) || error is TransferConnectionException lost && DialedConnection.IsRefused(lost) && HasConnection;

    private async ValueTask<SshChannel> OpenCommandHereAsync(string command, CancellationToken ct)
    {
        var channel = await OnConnectionAsync(
            async (shared, ssh, token) =>
            {
                var opened = await LogInClock.RunAsync("The opening of a command's channel", _options.LogInTimeout, _options.TimeProvider,
                    clock => ssh.OpenCommandAsync(command, clock.Token), token).ConfigureAwait(false);
                return new SharedChannel(opened).On(ssh, () => ReleaseAsync(shared, isCommand: true));
            }, isCommand: true, ct).ConfigureAwait(false);
        lock (_gate) _roundTrip = channel.RoundTrip;
        return channel;
    }

    private async ValueTask<T> OnConnectionAsync<T>(Func<SharedConnection<ISshSessions>, ISshSessions, CancellationToken, ValueTask<T>> use,
        bool isCommand, CancellationToken ct)
    {
        while (true)
        {
            var shared = Join(isCommand);
            try
            {
                var ssh = await shared.Ready.WaitAsync(ct).ConfigureAwait(false);
                if (ssh.HasOneTimeLogIn) UseOneConnection();
                if (!ServerSoftware.KeepsChannelsApart(ssh.Server) && !IsAlone(shared))
                {
                    await ReleaseAsync(shared, isCommand).ConfigureAwait(false);
                    continue;
                }
                return await use(shared, ssh, ct).ConfigureAwait(false);
            }
            catch (LogInHeldException)
            {
                UseOneConnection();
                await ReleaseAsync(shared, isCommand).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                // A refusal beside open sessions shows the most that one connection takes, or the most connections that the server takes.
                var full = e is TransferException and not TransferConnectionException && Lower(shared);
                await ReleaseAsync(shared, isCommand).ConfigureAwait(false);
                if (!full && !(e is TransferException refused && IsLimit(refused) && PreferExistingConnections())) throw;
            }
        }
    }

    /// <summary>
    /// Opens a session on a connection. The channel, its subsystem and SFTP's first replies end a log-in: the first session of a
    /// connection has the rest of the log-in's time.
    /// </summary>
    private ValueTask<SftpSession> OpenOnAsync(SharedConnection<ISshSessions> shared, ISshSessions ssh, CancellationToken ct)
    {
        bool isFirst;
        lock (_gate)
        {
            isFirst = !shared.IsReached;
            shared.IsReached = true;
        }
        return LogInClock.RunAsync("The opening of an SFTP session", _options.LogInTimeout, _options.TimeProvider,
            clock => OpenWithinAsync(shared, ssh, clock.Token), ct,
            isFirst ? ssh.LogInTime : TimeSpan.Zero);
    }

    private async ValueTask<SftpSession> OpenWithinAsync(SharedConnection<ISshSessions> shared, ISshSessions ssh, CancellationToken ct)
    {
        if (shared.Early is { } early)
        {
            if (await early.TakeAsync(ssh, () => ReleaseAsync(shared), ct).ConfigureAwait(false) is { } begun)
            {
                _state.AcceptsEarlyRequests = true;
                return begun;
            }
            if (early.HasFailed) _state.NeedsLogInFirst = true;
        }
        var channel = new SharedChannel(await ssh.OpenSubsystemAsync("sftp", ct).ConfigureAwait(false));
        var session = await OpenAsync(channel, ssh.Server, ct).ConfigureAwait(false);
        channel.On(ssh, () => ReleaseAsync(shared));
        return session;
    }

    private ValueTask<SftpSession> OpenAsync(SharedChannel channel, string? server, CancellationToken ct) =>
        SftpSession.OpenAsync(channel, server, _options, _state, _logger, ct);

    // Whether the server perhaps got too many requests at once.
    private bool MayHaveBeenOverloaded(TransferConnectionException lost) =>
        lost.Error == TransferError.Protocol || (lost.Error == TransferError.Lost && !_state.AcceptsEarlyRequests);

    private void TurnStepwise(TransferConnectionException lost)
    {
        _state.SendsStepwise = true;
        Log.TurnedCareful(_logger, lost.Message);
    }

    private SharedConnection<ISshSessions> Join(bool isCommand)
    {
        var paying = isCommand ? int.MaxValue : _paying();
        lock (_gate)
        {
            // Commands join the sessions' connections, and each other where there are enough connections.
            var shared = _connections.Where(each => each.TakesMore).MinBy(each => (isCommand ? each.Commands : 0, each.Users));
            var isOne = _hasOneTimeLogIn && _connections.Exists(each => each.IsAlive);
            if (isOne && shared is null) throw new ConnectionFullException();
            var isEnough = isOne || (isCommand
                ? shared?.Commands == 0 || _connections.Count(each => each.Commands > 0) >= MostConnectionsForCommands
                : shared?.Users == 0 || _connections.Count >= Math.Min(_spread, paying));
            if (shared is null || !isEnough)
            {
                var stop = new CancellationTokenSource();
                var early = isCommand || _state.SendsStepwise || _state.NeedsLogInFirst
                    ? null : new EarlySession((channel, server) => OpenAsync(channel, server, CancellationToken.None), _logger);
                shared = new SharedConnection<ISshSessions>
                {
                    Early = early,
                    Ready = ConnectAsync(early, isCommand, stop.Token),
                    Stop = stop,
                    Limit = _perConnection
                };
                _connections.Add(shared);
            }
            shared.Users++;
            if (isCommand) shared.Commands++;
            return shared;
        }
    }

    // A log-in with a one-time code or another person's answer cannot be repeated: all channels share the existing connection.
    private void UseOneConnection()
    {
        lock (_gate) _hasOneTimeLogIn = true;
    }

    private int MostConnectionsForCommands => _roundTrip < LongPath ? 1 : Math.Min(MostForCommands, _spread);

    // From now on a connection carries one session; of the sessions that joined this one earlier, all but the last leave.
    private bool IsAlone(SharedConnection<ISshSessions> shared)
    {
        lock (_gate)
        {
            _perConnection = 1;
            foreach (var connection in _connections) connection.Limit = 1;
            return shared.Users == 1;
        }
    }

    private bool Lower(SharedConnection<ISshSessions> shared)
    {
        lock (_gate)
        {
            if (shared.Users < 2) return false;
            shared.Limit = Math.Min(shared.Limit, shared.Users - 1);
            return true;
        }
    }

    // True: an existing connection takes one more session.
    private bool PreferExistingConnections()
    {
        lock (_gate)
        {
            var ready = _connections.Count(each => each.Ready.IsCompletedSuccessfully);
            if (ready >= _spread || !_connections.Exists(each => each.Ready.IsCompletedSuccessfully && each.TakesMore)) return false;
            _spread = Math.Max(1, ready);
            return true;
        }
    }

    // A connection of commands stays for the next one while any connection is in use.
    private async ValueTask ReleaseAsync(SharedConnection<ISshSessions> shared, bool isCommand = false)
    {
        List<SharedConnection<ISshSessions>> unused;
        lock (_gate)
        {
            if (isCommand) shared.Commands--;
            if (--shared.Users > 0) return;
            var isLast = !_connections.Exists(each => each.Users > 0);
            if (!isLast && isCommand && shared.TakesMore) return;
            unused = isLast ? [.. _connections] : [shared];
            _connections.RemoveAll(unused.Contains);
        }
        foreach (var connection in unused) await connection.CloseAsync().ConfigureAwait(false);
    }

    // A server with too many connections before their log-in drops new ones, and has room a moment later; one that is being started refuses
    // them. Beside open connections the pool makes do with these, and once a session has been open it is the pool that tries again.
    private async ValueTask<ISshSessions> ConnectWhenFreeAsync(EarlySession? early, bool isCommand, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await _ssh.ConnectAsync(early?.Use, ct).ConfigureAwait(false);
            }
            catch (TransferConnectionException full)
                when ((full.ServerCode == DisconnectReason.TooManyConnections || DialedConnection.IsRefused(full))
                    && attempt < _options.Retry.Attempts && !HasConnection && (isCommand || !_opened))
            {
                Log.TakesNoConnection(_logger, full.Message);
            }
            var wait = _options.Retry.DelayAfter(attempt, Random.Shared.NextDouble());
            await Task.Delay(wait, _options.TimeProvider, ct).ConfigureAwait(false);
        }
    }

    private bool HasConnection
    {
        get { lock (_gate) return _connections.Exists(each => each.Ready.IsCompletedSuccessfully); }
    }

    private async Task<ISshSessions> ConnectAsync(EarlySession? early, bool isCommand, CancellationToken ct)
    {
        await _connecting.TakeAsync().ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            ct.ThrowIfCancellationRequested();
            return await ConnectWhenFreeAsync(early, isCommand, ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException lost) when (early is { IsBegun: true } && MayHaveBeenOverloaded(lost))
        {
            TurnStepwise(lost);
            return await _ssh.ConnectAsync(null, ct).ConfigureAwait(false);
        }
        finally
        {
            _connecting.Return();
        }
    }
}
