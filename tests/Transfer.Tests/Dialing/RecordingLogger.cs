using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.Tests.Dialing;

/// <summary>Keeps every message.</summary>
internal sealed class RecordingLogger : ILogger
{
    private readonly ConcurrentQueue<(LogLevel Level, string Message)> _entries = new();

    public IEnumerable<string> Messages => _entries.Select(e => e.Message);

    public IEnumerable<string> Warnings => _entries.Where(e => e.Level >= LogLevel.Warning).Select(e => e.Message);

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        _entries.Enqueue((logLevel, formatter(state, exception)));
}
