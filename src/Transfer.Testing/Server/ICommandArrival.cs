namespace Transfer.Testing.Server;

/// <summary>What a <see cref="CommandPump"/> tells its session before a command has its turn.</summary>
internal interface ICommandArrival
{
    /// <summary>Whether a transfer runs now.</summary>
    bool IsTransferring { get; }

    /// <summary>A line has arrived. False: it is dealt with and is not queued.</summary>
    ValueTask<bool> AcceptAsync(ControlCommand command, int read, bool duringTransfer, CancellationToken ct);

    /// <summary>No more will arrive.</summary>
    void Ended();
}
