using Microsoft.Extensions.Logging;

namespace Transfer.Cli.Output;

/// <summary>
/// Prints the library's log on standard error: warnings, and with <c>-v</c> everything down to Debug. A factory of our own costs no
/// container at start-up.
/// </summary>
internal sealed class MessageLoggerFactory(Messages messages, LogLevel minimum) : ILoggerFactory
{
    public ILogger CreateLogger(string categoryName) => new MessageLogger(messages, minimum, categoryName);

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("The log goes to standard error only.");

    public void Dispose()
    {
    }
}
