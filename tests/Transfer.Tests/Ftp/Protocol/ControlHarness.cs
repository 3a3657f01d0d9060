using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>A control connection over memory, with the test as its server.</summary>
internal sealed class ControlHarness : IAsyncDisposable
{
    private ControlHarness(ControlConnection control, MemoryLink client, MemoryLink server, ManualClock clock, LogRecorder log)
    {
        Control = control;
        Client = client;
        Server = server;
        Clock = clock;
        Log = log;
    }

    public ControlConnection Control { get; }

    public MemoryLink Client { get; }

    public MemoryLink Server { get; }

    public ManualClock Clock { get; }

    public LogRecorder Log { get; }

    public static async Task<ControlHarness> OpenAsync(bool greeted = true, Func<ControlConnectionSettings, ControlConnectionSettings>? with = null)
    {
        var (client, server) = MemoryLink.Create();
        var clock = new ManualClock();
        var log = new LogRecorder();
        var settings = new ControlConnectionSettings { Host = "ftp.example", Logger = log, TimeProvider = clock, Encoding = Encoding.UTF8 };
        var control = await ControlConnection.AttachAsync(client, with?.Invoke(settings) ?? settings, CancellationToken.None);
        var harness = new ControlHarness(control, client, server, clock, log);
        if (greeted)
        {
            await harness.ReplyAsync("220 ready");
            await control.GreetingAsync(CancellationToken.None);
        }

        return harness;
    }

    /// <summary>Sends reply lines, each with CRLF, in one write.</summary>
    public ValueTask ReplyAsync(params string[] lines) =>
        Server.WriteAsync(Encoding.UTF8.GetBytes(string.Concat(lines.Select(l => l + "\r\n"))));

    /// <summary>What the client's next write held.</summary>
    public async Task<string?> ReceivedAsync() => await Server.ReadChunkAsync() is { } bytes ? Encoding.UTF8.GetString(bytes) : null;

    public ValueTask DisposeAsync() => Control.DisposeAsync();
}

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

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        lock (_gate)
            _lines.Add(formatter(state, exception));
    }
}
