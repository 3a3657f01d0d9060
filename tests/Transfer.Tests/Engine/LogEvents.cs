using Microsoft.Extensions.Logging;

namespace Transfer.Tests.Engine;

/// <summary>Listens for events in the log of an application.</summary>
/// <param name="names">Of these events.</param>
/// <param name="heard">Gets its text each time.</param>
internal sealed class LogEvents(string[] names, Action<string> heard) : ILoggerFactory, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (names.Contains(eventId.Name)) heard(formatter(state, exception));
    }

    public void Dispose()
    {
    }
}
