using Microsoft.Extensions.Logging;

namespace Transfer.PowerShell.Clients;

/// <summary>
/// Passes a client's log on. Errors become warnings; messages of failures for which the cmdlet writes an error record are for a
/// debugger.
/// </summary>
internal sealed class MessageLogger(Action<ClientMessage> log) : ILoggerFactory, ILogger
{
    // Of items and calls, and why a session was given up: the reason of the failures that came of that, if any did.
    private static readonly string[] ToldByErrors = ["ItemFailed", "OperationFailed", "WorkerRetired", "LaneRetired"];

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("Messages go to PowerShell's streams only.");

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel is >= LogLevel.Debug and not LogLevel.None;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel)) return;
        var level = logLevel switch
        {
            _ when ToldByErrors.Contains(eventId.Name) => ClientMessageLevel.Debug,
            LogLevel.Debug => ClientMessageLevel.Debug,
            LogLevel.Information => ClientMessageLevel.Verbose,
            _ => ClientMessageLevel.Warning,
        };
        log(new(level, formatter(state, exception)));
    }

    public void Dispose()
    {
    }
}
