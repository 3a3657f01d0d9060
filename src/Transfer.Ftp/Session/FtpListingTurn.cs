using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>The place of one listing among those of a session, which follow one another: see <see cref="FtpListingTurns"/>.</summary>
/// <param name="directory">The directory.</param>
/// <param name="finds">Whether the entries may be found by STAT.</param>
/// <param name="report">The needs of the caller.</param>
internal sealed class FtpListingTurn(string directory, bool finds, ListingReport report)
{
    private TaskCompletionSource _granted = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The directory.</summary>
    public string Directory => directory;

    /// <summary>Whether the entries are to be found by STAT, which has not been tried.</summary>
    public bool Finds { get; private set; } = finds;

    /// <summary>Whether the listing needs the descriptions of entries beside STAT, as MLSD would show them.</summary>
    public bool NeedsDescriptions => !report.NeedsProofs && !report.NamesSuffice;

    /// <summary>Whether no entry may be missing.</summary>
    public bool NeedsAll => !report.PresenceSuffices;

    /// <summary>The directory as listed above, as long as it is to be proved; null: listed without a proof.</summary>
    public RemoteEntry? Unproved => report.Proof is null ? report.Unproved : null;

    /// <summary>Whether STAT was tried.</summary>
    public bool WasSought { get; private set; }

    /// <summary>The entries that STAT has found; null: none were, or not all.</summary>
    public IReadOnlyList<RemoteEntry>? Found { get; private set; }

    /// <summary>Completes when the turn has come.</summary>
    public Task Granted => _granted.Task;

    /// <summary>Whether the caller waits no more.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>The listing's exchange, once the commands are sent in a batch; null: the listing sends its own.</summary>
    public FtpExchange? Exchange { get; private set; }

    /// <summary>The command of <see cref="Exchange"/>.</summary>
    public FtpCommand Command { get; private set; }

    /// <summary>The pending reply to the change of the directory in front of the exchange; null: the command has a path.</summary>
    public PendingReply? Change { get; set; }

    /// <summary>Whether the commands of the exchange are sent.</summary>
    public bool IsSent { get; set; }

    /// <summary>Whether the exchange is read, and disposed by the reader.</summary>
    public bool IsBegun { get; private set; }

    /// <summary>Whether the server still owes a part of the exchange.</summary>
    public bool IsInMidExchange => Exchange is { HasEnded: false };

    /// <summary>Sends the commands of an exchange with others' in a batch.</summary>
    public void Join(FtpExchange exchange, FtpCommand command) => (Exchange, Command) = (exchange, command);

    /// <summary>Takes the result of STAT.</summary>
    public void Take(IReadOnlyList<RemoteEntry>? found) => (Finds, WasSought, Found) = (false, true, found);

    /// <summary>Takes the proof of the directory.</summary>
    public void Take(DirectoryProof proof) => report.Prove(proof);

    /// <summary>Takes over the exchange, to read and to dispose.</summary>
    public FtpExchange Begin()
    {
        IsBegun = true;
        return Exchange!;
    }

    /// <summary>Gives the turn.</summary>
    public void Grant() => _granted.TrySetResult();

    /// <summary>Waits for another turn.</summary>
    public void Renew() => _granted = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Closes the connection of an exchange that was never read.</summary>
    public ValueTask DropAsync() => Exchange is { } unused && !IsBegun ? unused.DisposeAsync() : ValueTask.CompletedTask;
}
