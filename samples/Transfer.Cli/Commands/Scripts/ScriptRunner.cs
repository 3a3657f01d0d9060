using System.Globalization;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands.Scripts;

/// <summary>Runs the lines of a script one by one: its own commands here, the verbs by the runner of the command itself.</summary>
/// <param name="host">The streams of the lines.</param>
/// <param name="session">The clients and folders.</param>
/// <param name="run">Runs a verb.</param>
/// <param name="general">The options of the script that its verbs have too.</param>
internal sealed class ScriptRunner(CommandHost host, Session session, LineRunner run, ScriptGeneral general)
{
    private readonly ScriptFolders _folders = new(host, session);

    /// <summary>The commands beside the verbs.</summary>
    public static IReadOnlyList<string> Commands { get; } =
        ["cd", "lcd", "pwd", "lpwd", "set", "echo", "sleep", "on-error", "exit", "quit"];

    public ScriptVariables Variables { get; } = new(host);

    /// <summary>A line that fails ends the script.</summary>
    public bool StopsOnError { get; private set; } = true;

    /// <summary>The code that <c>exit</c> ends the script with; null: the script goes on.</summary>
    public int? End { get; private set; }

    /// <summary>Runs a line.</summary>
    /// <returns>The exit code; null: the line is empty, or a failure of it is of no account.</returns>
    public async Task<int?> RunAsync(string line, CancellationToken ct)
    {
        try
        {
            var words = ScriptWords.Split(line, Variables.Get);
            if (words.Count == 0) return null;
            var isIgnored = words[0] is ['-', not '-', ..];
            if (isIgnored) words = [words[0][1..], .. words.Skip(1)];
            var code = await RunAsync(words, ct);
            return isIgnored && code != ExitCode.Interrupted ? null : code;
        }
        catch (UsageException e)
        {
            session.Messages.Error(e.Message);
            return ExitCode.Usage;
        }
        catch (OperationCanceledException)
        {
            return ExitCode.Interrupted;
        }
    }

    private async Task<int> RunAsync(IReadOnlyList<string> words, CancellationToken ct)
    {
        switch (words[0])
        {
            case "cd":
                return await _folders.ChangeAsync(words.Count == 1 ? "~" : Only(words, "a folder"), ct);
            case "lcd":
                return _folders.ChangeLocal(words.Count == 1 ? "~" : Only(words, "a folder"));
            case "pwd":
                return await _folders.PrintAsync(ct);
            case "lpwd":
                return await _folders.PrintLocalAsync(ct);
            case "set":
                if (words.Count != 3) throw new UsageException("set wants a name and a value.");
                Variables.Set(words[1], words[2]);
                return ExitCode.Done;
            case "echo":
                await host.WriteLineAsync(string.Join(' ', words.Skip(1)), ct);
                return ExitCode.Done;
            case "sleep":
                await Task.Delay(Duration(Only(words, "a time")), host.TimeProvider, ct);
                return ExitCode.Done;
            case "on-error":
                StopsOnError = Only(words, "stop or continue") switch
                {
                    "stop" => true,
                    "continue" => false,
                    _ => throw new UsageException("on-error wants stop or continue."),
                };
                return ExitCode.Done;
            case "exit" or "quit" or "bye":
                End = words.Count == 1 ? ExitCode.Done : Code(Only(words, "a code"));
                return End.Value;
            default:
                return await run(general.AddTo(words), host, session, ct);
        }
    }

    private static string Only(IReadOnlyList<string> words, string what) =>
        words.Count == 2 ? words[1] : throw new UsageException($"{words[0]} wants {what}.");

    private static TimeSpan Duration(string text) =>
        FilterSettings.ParseAge(char.IsAsciiDigit(text.LastOrDefault()) ? text + "s" : text) is { } time
            && time <= ConnectionSettings.LongestTimeout
            ? time : throw new UsageException("sleep wants seconds, or a time such as 30m or 8h, a week at most.");

    private static int Code(string text) =>
        byte.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var code)
            ? code : throw new UsageException("exit wants a code from 0 to 255.");
}
