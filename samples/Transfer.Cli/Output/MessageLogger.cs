using Microsoft.Extensions.Logging;

namespace Transfer.Cli.Output;

/// <summary>One category of the library's log.</summary>
internal sealed class MessageLogger(Messages messages, Verbosity verbosity, string category) : ILogger
{
    // Library warnings that are left out up to -v, because the command says it itself: of a password before it connects, and
    // why a session was given up in the failures that came of it, if any did, and each item and call that failed.
    private const string PasswordInTheClear = nameof(PasswordInTheClear);
    private const string WorkerRetired = nameof(WorkerRetired);
    private const string ItemFailed = nameof(ItemFailed);
    private const string OperationFailed = nameof(OperationFailed);

    // What an SSH server says before the log-in is for people, and shown as OpenSSH shows it.
    private const string ServerSays = nameof(ServerSays);
    private const string SshCategory = "Transfer.Sftp";

    // Shown with all only: they are about this machine, and hide what is said to the server.
    private static readonly string[] SocketEvents = ["BufferChosen", "CongestionControlChosen", "CongestionControlRefused"];
    private static readonly string[] Protocols = ["Transfer.Ftp", SshCategory];

    private readonly LogLevel _minimum = verbosity switch
    {
        Verbosity.None => LogLevel.Warning,
        Verbosity.Items => LogLevel.Information,
        Verbosity.Wire => Protocols.Contains(category) ? LogLevel.Trace : LogLevel.Information,
        _ => LogLevel.Trace,
    };

    private readonly bool _hearsBanners = category == SshCategory;
    private readonly string _category = category[(category.LastIndexOf('.') + 1)..];

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) =>
        (logLevel >= _minimum || (_hearsBanners && logLevel == LogLevel.Information)) && logLevel != LogLevel.None;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel)) return;
        if (verbosity < Verbosity.Wire && eventId.Name is PasswordInTheClear or WorkerRetired or ItemFailed or OperationFailed) return;
        if (verbosity == Verbosity.Wire && SocketEvents.Contains(eventId.Name)) return;
        var text = formatter(state, exception);
        if (logLevel < _minimum)
        {
            if (eventId.Name == ServerSays) messages.Info(text);
            return;
        }

        if (exception is not null) text += $" ({exception.GetType().Name}: {exception.Message})";
        if (verbosity == Verbosity.None) messages.Warning(text);
        else messages.Write($"{Name(logLevel)} {_category}: {text}");
    }

    private static string Name(LogLevel level) => level switch
    {
        LogLevel.Trace => "trace",
        LogLevel.Debug => "debug",
        LogLevel.Information => "info",
        LogLevel.Warning => "warning",
        LogLevel.Error => "error",
        _ => "critical",
    };
}
