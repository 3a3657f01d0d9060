using Microsoft.Extensions.Logging;

namespace Transfer.Diagnostics;

/// <summary>Passes messages on in the form of <see cref="PrintableText"/>: a name with a line end in it forges no line of a log. The values beside the message stay exact.</summary>
internal sealed class PrintableLogger(ILogger logger) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => logger.BeginScope(state);

    public bool IsEnabled(LogLevel logLevel) => logger.IsEnabled(logLevel);

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        logger.Log(logLevel, eventId, state, exception, (values, error) => PrintableText.Of(formatter(values, error)));
}
