using Microsoft.Extensions.Logging;

namespace Transfer.Cli.Tests.Batch;

/// <summary>A client's log, by which a test knows when a way was chosen.</summary>
internal sealed class DecisionLog : ILoggerFactory, ILogger
{
    private const int Singly = 5402;
    private const int Batched = 5403;

    private readonly TaskCompletionSource _second = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _decisions;

    /// <summary>The way was chosen for the second time: a download's is at first always file by file.</summary>
    public Task Second => _second.Task;

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public bool IsEnabled(LogLevel logLevel) => true;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (eventId.Id is Singly or Batched && Interlocked.Increment(ref _decisions) == 2) _second.TrySetResult();
    }

    public void Dispose()
    {
        // Nothing is open.
    }
}
