using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// A passive data connection that is announced and opened before its file is known, so that its round trips pass beside others.
/// </summary>
internal sealed class FtpDataAhead : IAsyncDisposable
{
    /// <summary>
    /// The most age: a device in between may have forgotten an older connection, which would show only when nothing arrives.
    /// </summary>
    private static readonly TimeSpan MostAge = TimeSpan.FromSeconds(10);

    private readonly CancellationTokenSource _stop = new();
    private readonly TimeProvider _time;
    private readonly long _begun;
    private long _ready;

    /// <param name="announced">The reply to the command that announces the connection.</param>
    /// <param name="connect">Connects to the address in the reply.</param>
    /// <param name="time">The clock.</param>
    public FtpDataAhead(Task<FtpReply> announced, Func<FtpReply, CancellationToken, ValueTask<DataConnection>> connect, TimeProvider time)
    {
        _time = time;
        _begun = time.GetTimestamp();
        Announced = announced;
        Connection = ConnectAsync(connect);
    }

    /// <summary>The time that the opening took, or has taken until now.</summary>
    public TimeSpan OpeningTime =>
        Volatile.Read(ref _ready) is not 0 and var ready ? _time.GetElapsedTime(_begun, ready) : _time.GetElapsedTime(_begun);

    public bool IsFresh => _time.GetElapsedTime(_begun) < MostAge;

    /// <summary>The reply to the command that announces the connection.</summary>
    public Task<FtpReply> Announced { get; }

    /// <summary>The connection; null when the announcement was refused.</summary>
    public Task<DataConnection?> Connection { get; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await ((Task)Connection).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (Connection is { IsCompletedSuccessfully: true, Result: { } connection }) await connection.DisposeAsync().ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task<DataConnection?> ConnectAsync(Func<FtpReply, CancellationToken, ValueTask<DataConnection>> connect)
    {
        var reply = await Announced.ConfigureAwait(false);
        var connection = reply.IsSuccess ? await connect(reply, _stop.Token).ConfigureAwait(false) : null;
        Volatile.Write(ref _ready, _time.GetTimestamp());
        return connection;
    }
}
