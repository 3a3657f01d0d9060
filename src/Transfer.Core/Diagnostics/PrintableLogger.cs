using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Transfer.Diagnostics;

/// <summary>Passes messages on in the form of <see cref="PrintableText"/>: a line end in a name forges no line of a log. The values beside
/// the message stay exact.</summary>
public sealed class PrintableLogger : ILogger
{
    private readonly ILogger _logger;

    private PrintableLogger(ILogger logger) => _logger = logger;

    /// <summary>Creates a logger with messages in this form; without a factory, one that logs nothing. For providers of other
    /// protocols.</summary>
    /// <param name="factory">The application's factory, or null.</param>
    /// <param name="category">The logger's name.</param>
    public static ILogger Create(ILoggerFactory? factory, string category) =>
        factory?.CreateLogger(category) is { } logger ? new PrintableLogger(logger) : NullLogger.Instance;

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => _logger.BeginScope(state);

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => _logger.IsEnabled(logLevel);

    /// <inheritdoc/>
    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        _logger.Log(logLevel, eventId, state, exception, (values, error) => PrintableText.Of(formatter(values, error)));
}
