using Microsoft.Extensions.Logging;

namespace Transfer.Tests.Replay;

/// <summary>What the engine says of itself, between the commands that its servers get: to look at one seed.</summary>
internal sealed class ReplayLogger(ReplayLog log) : ILoggerFactory, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        log.Add($"    {eventId.Name}: {formatter(state, exception)}");

    public void Dispose()
    {
    }
}
