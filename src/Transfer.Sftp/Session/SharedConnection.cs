namespace Transfer.Sftp.Session;

/// <summary>An SSH connection, made or in the making, and the number of users. Guarded by the owner's lock.</summary>
internal sealed class SharedConnection<T>
    where T : ISshSessions
{
    /// <summary>Completes with the log-in. No single user may cancel the log-in: see <see cref="Stop"/>.</summary>
    public required Task<T> Ready { get; init; }

    /// <summary>Fires when the connection has no more users.</summary>
    public required CancellationTokenSource Stop { get; init; }

    /// <summary>The session that is opened with the connection; null for none.</summary>
    public EarlySession? Early { get; init; }

    /// <summary>Whether the first session is being opened, or was: that one shares the log-in's time.</summary>
    public bool IsReached { get; set; }

    /// <summary>The number of users, waiting ones included.</summary>
    public int Users { get; set; }

    /// <summary>The number of users that are commands.</summary>
    public int Commands { get; set; }

    /// <summary>The most users: by the options, or by the server's refusals.</summary>
    public int Limit { get; set; }

    /// <summary>Whether the connection is usable or in the making.</summary>
    public bool IsAlive => !Ready.IsCompleted || Ready is { IsCompletedSuccessfully: true, Result.Usable: true };

    public bool TakesMore => Users < Limit && IsAlive;

    /// <summary>Closes the connection, or gives up making it, after the last user has left.</summary>
    public async ValueTask CloseAsync()
    {
        await Stop.CancelAsync().ConfigureAwait(false);
        await ((Task)Ready).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (Ready.IsCompletedSuccessfully) await (await Ready.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
        Stop.Dispose();
    }
}
