namespace Transfer.Testing.Ftp;

/// <summary>Receives the commands of a <see cref="CommandPump"/> before their turn.</summary>
internal interface ICommandArrival
{
    /// <summary>Whether a transfer runs now.</summary>
    bool IsTransferring { get; }

    /// <summary>Handles an arrived line. False: the line is done and is not queued.</summary>
    ValueTask<bool> AcceptAsync(ControlCommand command, int read, bool duringTransfer, CancellationToken ct);

    /// <summary>No more will arrive.</summary>
    void Ended();
}
