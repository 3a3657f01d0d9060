namespace Transfer.Sftp.Session;

/// <summary>An SSH connection, made or in the making, and how many sessions use it. Whoever guards the list of them guards its members.</summary>
internal sealed class SharedConnection
{
    /// <summary>Ends when it is logged in. Its cancellation is nobody's alone: see <see cref="Stop"/>.</summary>
    public required Task<ISshSessions> Ready { get; init; }

    /// <summary>Fires when nobody needs it any more.</summary>
    public required CancellationTokenSource Stop { get; init; }

    /// <summary>Sessions that use it or wait for it.</summary>
    public int Users { get; set; }

    /// <summary>Most sessions it takes: what the options say, or what the server was seen to allow.</summary>
    public int Limit { get; set; }

    public bool TakesMore => Users < Limit && (!Ready.IsCompleted || Ready is { IsCompletedSuccessfully: true, Result.Usable: true });
}
