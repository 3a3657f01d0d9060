using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;

namespace Transfer.Tests;

/// <summary>One form of names and servers' texts for people.</summary>
public sealed class PrintableTextTests
{
    [Test]
    public void Messages_of_exceptions_are_one_line()
    {
        Assert.That(new TransferException(TransferError.Denied, "\"a\nb\u009b\" is refused: no\r\n550 really").Message,
            Is.EqualTo("\"a?b?\" is refused: no??550 really"));
        Assert.That(new TransferConnectionException(TransferError.Lost, "x\u2028y\udcff").Message, Is.EqualTo("x?y\\xff"));
    }

    [Test]
    public void Messages_of_the_log_are_one_line_and_their_values_exact()
    {
        using var factory = new Recorder();
        var logger = PrintableLogger.Create(factory, "Transfer.Ftp");
#pragma warning disable CA1848, CA2254 // As applications do it, not for speed.
        logger.LogWarning("{Path} is refused.", "a\n2026 error: forged");
#pragma warning restore CA1848, CA2254
        Assert.That(factory.Line, Is.EqualTo("a?2026 error: forged is refused."));
        Assert.That(factory.Values!["Path"], Is.EqualTo("a\n2026 error: forged"));
        Assert.That(PrintableLogger.Create(null, "x").IsEnabled(LogLevel.Critical), Is.False);
    }

    [Test]
    public void A_plain_text_is_the_same_object()
    {
        const string Text = "/naïve/日本 \U0001F600";
        Assert.That(PrintableText.Of(Text), Is.SameAs(Text));
    }

    private sealed class Recorder : ILoggerFactory, ILogger
    {
        public string? Line { get; private set; }

        public Dictionary<string, object?>? Values { get; private set; }

        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            Line = formatter(state, exception);
            Values = ((IEnumerable<KeyValuePair<string, object?>>)state!).ToDictionary();
        }

        public void Dispose()
        {
        }
    }
}
