using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.Tests.Ftp.Listing;

/// <summary>Keeps what was logged.</summary>
internal sealed class ListLogger : ILogger
{
    private readonly ConcurrentQueue<string> _messages = new();

    /// <summary>The messages up to now: tasks of a session may still log.</summary>
    public IReadOnlyList<string> Messages => [.. _messages];

    public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        _messages.Enqueue($"{logLevel} {eventId.Id}: {formatter(state, exception)}");
}
