using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.ServerTests.Support;

/// <summary>Keeps what a client logged, by event.</summary>
internal sealed class LogLines : ILoggerFactory, ILogger
{
    /// <summary>The event that names the algorithms of a key exchange.</summary>
    public const int KeysExchanged = 3002;

    /// <summary>The event of directories whose entries STAT has shown in one flight.</summary>
    public const int FoundByStat = 2207;

    /// <summary>The event that tells of a session which was closed.</summary>
    public const int SessionClosed = 1104;

    /// <summary>The event that sums a job up.</summary>
    public const int JobEnded = 1209;

    /// <summary>The event that tells why an upload is not divided, though segments are asked for.</summary>
    public const int WritesAlone = 1223;

    /// <summary>The event of an SFTP session that was opened in one flight with its log-in.</summary>
    public const int SessionWithLogIn = 3212;

    private readonly ConcurrentQueue<(int Event, string Text)> _lines = new();

    /// <summary>Called with each event, within what logs it.</summary>
    public Action<int> OnEvent { get; set; } = _ => { };

    public IReadOnlyList<string> Of(int id) => [.. _lines.Where(line => line.Event == id).Select(line => line.Text)];

    public override string ToString() => string.Join('\n', _lines.Select(line => line.Text));

    public ILogger CreateLogger(string categoryName) => this;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Debug;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        _lines.Enqueue((eventId.Id, formatter(state, exception)));
        OnEvent(eventId.Id);
    }

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public void Dispose()
    {
    }
}
