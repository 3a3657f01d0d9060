using Transfer.Batch;

namespace Transfer.PowerShell.Clients;

/// <summary>
/// Passes on the log messages of batches. The cmdlets' own assembly cannot name the type of a logger: another module may have loaded
/// another version of that library.
/// </summary>
public static class BatchMessages
{
    /// <summary>Options with messages to <paramref name="log"/>.</summary>
    public static SpoolSenderOptions LoggedTo(this SpoolSenderOptions options, Action<ClientMessage> log) =>
        options with { LoggerFactory = new MessageLogger(log) };

    /// <inheritdoc cref="LoggedTo(SpoolSenderOptions, Action{ClientMessage})"/>
    public static SpoolFetcherOptions LoggedTo(this SpoolFetcherOptions options, Action<ClientMessage> log) =>
        options with { LoggerFactory = new MessageLogger(log) };

    /// <inheritdoc cref="LoggedTo(SpoolSenderOptions, Action{ClientMessage})"/>
    public static BatchSenderOptions LoggedTo(this BatchSenderOptions options, Action<ClientMessage> log) =>
        options with { LoggerFactory = new MessageLogger(log) };

    /// <inheritdoc cref="LoggedTo(SpoolSenderOptions, Action{ClientMessage})"/>
    public static BatchReceiverOptions LoggedTo(this BatchReceiverOptions options, Action<ClientMessage> log) =>
        options with { LoggerFactory = new MessageLogger(log) };
}
