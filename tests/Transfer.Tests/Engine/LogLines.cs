using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.Tests.Engine;

/// <summary>Keeps the log's lines of one level and above, each with the name of its event.</summary>
internal sealed class LogLines(LogLevel least) : ILoggerFactory, ILogger
{
    private readonly ConcurrentQueue<(LogLevel Level, string Event, string Text)> _lines = [];

    /// <summary>The lines, in order.</summary>
    public IReadOnlyCollection<(LogLevel Level, string Event, string Text)> All => _lines;

    /// <summary>The exceptions of the lines, in order.</summary>
    public ConcurrentQueue<Exception> Exceptions { get; } = [];

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= least;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel)) return;
        _lines.Enqueue((logLevel, eventId.Name!, formatter(state, exception)));
        if (exception is not null) Exceptions.Enqueue(exception);
    }

    public void Dispose()
    {
    }
}
