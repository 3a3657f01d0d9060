using Microsoft.Extensions.Logging;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>Keeps every message.</summary>
internal sealed class LogRecorder : ILogger
{
    private readonly Lock _gate = new();
    private readonly List<string> _lines = [];

    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_gate)
                return [.. _lines];
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        lock (_gate)
            _lines.Add(formatter(state, exception));
    }
}
