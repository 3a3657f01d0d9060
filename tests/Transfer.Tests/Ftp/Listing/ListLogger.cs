using Microsoft.Extensions.Logging;

namespace Transfer.Tests.Ftp.Listing;

/// <summary>Keeps what was logged.</summary>
internal sealed class ListLogger : ILogger
{
    public List<string> Messages { get; } = [];

    public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        Messages.Add($"{logLevel} {eventId.Id}: {formatter(state, exception)}");
}
