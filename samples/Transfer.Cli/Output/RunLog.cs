using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Transfer.Cli.Output;

/// <summary>The log of a run (<c>--log</c>): a line for each item and each event, in a file that several runs may share.</summary>
internal sealed class RunLog : IItemOutput, IAsyncDisposable
{
    private const string None = "-";

    private readonly LogFormat _format;
    private readonly TimeProvider _time;
    private readonly LogFile _file;

    /// <param name="path">The file.</param>
    /// <param name="format">The form of its lines.</param>
    /// <param name="failed">Receives the first failure to write.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The file cannot be written.</exception>
    public RunLog(string path, LogFormat format, Action<string> failed, TimeProvider time)
    {
        (_format, _time) = (format, time);
        _file = new LogFile(path, failed, Gap, time);
    }

    public void Write(ItemEvent item)
    {
        if (item.IsUnchanged) return;
        var now = LogTime.Now(_time);
        _file.Add(_format == LogFormat.JsonLines
            ? Serialize(ItemJson.Of(item, now)) : Line(now, item.Action, ItemText.Bytes(item), item.Path, ItemText.Detail(item)));
    }

    /// <summary>Logs the beginning of the run.</summary>
    /// <param name="command">The command line without secrets.</param>
    public void Begin(string command) => Write("begin", command, process: Environment.ProcessId);

    /// <summary>Logs a warning or an error that is not an item's.</summary>
    public void Write(string action, string message) => Write(action, message, process: null);

    /// <summary>Logs the end of the run, and waits for the disk.</summary>
    /// <returns>The number of lines that could not be written.</returns>
    public async ValueTask<long> EndAsync(int exitCode)
    {
        Write("end", string.Create(CultureInfo.InvariantCulture, $"exit code {exitCode}"), null, exitCode);
        await DisposeAsync();
        return _file.Lost;
    }

    public ValueTask DisposeAsync() => _file.DisposeAsync();

    private string Gap(long lines) =>
        EventLine("error", string.Create(CultureInfo.InvariantCulture, $"{lines} lines could not be written"), null, null);

    private void Write(string action, string message, int? process, int? exitCode = null) =>
        _file.Add(EventLine(action, message, process, exitCode));

    private string EventLine(string action, string message, int? process, int? exitCode)
    {
        var now = LogTime.Now(_time);
        var printable = PrintableText.Of(message);
        var id = process is { } number ? string.Create(CultureInfo.InvariantCulture, $" (process {number})") : string.Empty;
        return _format == LogFormat.JsonLines
            ? Serialize(new ItemJson { Time = now, Action = action, Message = printable, Process = process, ExitCode = exitCode })
            : Line(now, action, null, null, printable + id);
    }

    private static string Serialize(ItemJson item) =>
        Encoding.UTF8.GetString(JsonSerializer.SerializeToUtf8Bytes(item, EntryJsonContext.Default.ItemJson)) + "\n";

    // No field holds a tab or a line's end once it is printable.
    private static string Line(string time, string action, long? bytes, string? path, string detail) =>
        string.Join('\t', time, action, bytes?.ToString(CultureInfo.InvariantCulture) ?? None, path is null ? None : PrintableText.Of(path),
            PrintableText.Of(detail)) + "\n";
}
