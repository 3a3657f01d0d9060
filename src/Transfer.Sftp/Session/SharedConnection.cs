namespace Transfer.Sftp.Session;

/// <summary>An SSH connection, made or in the making, and how many use it. Whoever guards it guards its members.</summary>
internal sealed class SharedConnection<T>
    where T : ISshSessions
{
    /// <summary>Ends when it is logged in. Its cancellation is nobody's alone: see <see cref="Stop"/>.</summary>
    public required Task<T> Ready { get; init; }

    /// <summary>Fires when nobody needs it any more.</summary>
    public required CancellationTokenSource Stop { get; init; }

    /// <summary>A session that is opened with it; null: none is.</summary>
    public EarlySession? Early { get; init; }

    /// <summary>Its first session is being opened, or was: the log-in's time is that one's.</summary>
    public bool IsReached { get; set; }

    /// <summary>Those that use it or wait for it.</summary>
    public int Users { get; set; }

    /// <summary>Those of them that are commands.</summary>
    public int Commands { get; set; }

    /// <summary>Most that it takes: what the options say, or what the server was seen to allow.</summary>
    public int Limit { get; set; }

    /// <summary>It is there, or being made.</summary>
    public bool IsAlive => !Ready.IsCompleted || Ready is { IsCompletedSuccessfully: true, Result.Usable: true };

    public bool TakesMore => Users < Limit && IsAlive;

    /// <summary>Closes it, or gives up making it, after the last user has left.</summary>
    public async ValueTask CloseAsync()
    {
        await Stop.CancelAsync().ConfigureAwait(false);
        await ((Task)Ready).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (Ready.IsCompletedSuccessfully) await (await Ready.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
        Stop.Dispose();
    }
}
