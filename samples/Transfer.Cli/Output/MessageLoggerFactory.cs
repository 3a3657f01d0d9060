using Microsoft.Extensions.Logging;

namespace Transfer.Cli.Output;

/// <summary>
/// Prints the library's log on standard error: warnings, and more with <c>-v</c>. A factory of our own costs no container at start-up.
/// </summary>
internal sealed class MessageLoggerFactory(Messages messages, Verbosity verbosity) : ILoggerFactory
{
    public ILogger CreateLogger(string categoryName) => new MessageLogger(messages, verbosity, categoryName);

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("The log goes to standard error only.");

    public void Dispose()
    {
    }
}
