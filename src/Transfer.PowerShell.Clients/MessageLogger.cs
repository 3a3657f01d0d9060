using Microsoft.Extensions.Logging;

namespace Transfer.PowerShell.Clients;

/// <summary>
/// Passes a client's log on. Errors become warnings, and messages of failed files are omitted: the cmdlet writes an error record for
/// each.
/// </summary>
internal sealed class MessageLogger(Action<ClientMessage> log) : ILoggerFactory, ILogger
{
    private const string ItemFailed = "ItemFailed";

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("Messages go to PowerShell's streams only.");

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel is >= LogLevel.Debug and not LogLevel.None;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel) || eventId.Name == ItemFailed) return;
        var level = logLevel switch
        {
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
