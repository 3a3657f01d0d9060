using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Profiles;
using Transfer.Local;

namespace Transfer.Cli;

/// <summary>One run of a verb, from its parsed arguments to the exit code: its log, its stream of items, its last words.</summary>
internal sealed class CommandRun(IReadOnlyList<string> args, CommandHost host, Messages messages) : IAsyncDisposable
{
    private readonly ItemStream? _stream =
        args.TakeWhile(arg => arg != "--").Contains(CliOptions.JsonItemsName) ? new ItemStream(host) : null;

    private readonly Action<string, string>? _recordBefore = messages.Record;
    private RunLog? _log;

    /// <summary>Runs the verb.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public async Task<int> RunAsync(Func<CommandRun, Task<int>> run)
    {
        var (code, failure) = await EndOfAsync(run);
        if (_log is not null && await _log.EndAsync(code) is > 0 and var lost)
        {
            messages.Unlogged($"{lost} lines of the log could not be written");
            if (code == ExitCode.Done) code = ExitCode.SomeFailed;
        }

        if (_stream is { IsComplete: false } && failure is not null && !host.OutputIsClosed())
            _stream.TryComplete(new FailedRunJson { ExitCode = code, Failed = [FailureJson.Of(new ItemFailure(string.Empty, failure))] });
        return code;
    }

    /// <summary>Begins the outputs that the options ask for, and describes the run in the log.</summary>
    /// <exception cref="UsageException">The log cannot be written.</exception>
    public RunOutputs Begin(ParseResult parsed, CliOptions options)
    {
        if (CliOptions.Value(parsed, options.Log) is { } path) OpenLog(path, CliOptions.Value(parsed, options.LogFormat));
        else if (CliOptions.IsGiven(parsed, options.LogFormat)) throw new UsageException("--log-format says nothing without --log.");
        var outputs = new List<IItemOutput>();
        if (_log is not null) outputs.Add(_log);
        if (_stream is not null) outputs.Add(_stream);
        if (options.Verbosity(parsed) > Verbosity.None) outputs.Add(new ItemLines(messages));
        return new RunOutputs(outputs.Count > 0 ? new ItemOutputs(outputs) : null, _stream);
    }

    public ValueTask DisposeAsync()
    {
        messages.Record = _recordBefore;
        return _log?.DisposeAsync() ?? default;
    }

    private async Task<(int Code, Exception? Failure)> EndOfAsync(Func<CommandRun, Task<int>> run)
    {
        try
        {
            return (await run(this), null);
        }
        catch (UsageException e)
        {
            messages.Error(e.Message);
            return (ExitCode.Usage, e);
        }
        catch (ArgumentException e) when (FolderOption(e.ParamName) is { } option)
        {
            // Known only where the job's own folder is, such as by its full path.
            messages.Error($"{option} wants another folder than that of the files.");
            return (ExitCode.Usage, e);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException && host.OutputIsClosed())
        {
            // The reader of the output has seen enough: no error, but not all was done either.
            return (ExitCode.SomeFailed, e);
        }
        catch (OperationCanceledException e)
        {
            messages.Error("interrupted");
            return (ExitCode.Interrupted, e);
        }
        catch (Exception e) when (ExitCode.IsFailure(e))
        {
            messages.Error(LocalErrors.Describe(e));
            return (ExitCode.For(e), e);
        }
    }

    private static string? FolderOption(string? property) => property switch
    {
        nameof(TransferOptions.BackupDirectory) => "--backup-dir",
        nameof(TransferOptions.MoveSourceTo) => "--move-source-to",
        _ => null,
    };

    private void OpenLog(string path, string? format)
    {
        var lines = format switch
        {
            null or "text" => LogFormat.Text,
            "jsonl" => LogFormat.JsonLines,
            _ => throw new UsageException("--log-format wants text or jsonl."),
        };
        if (path is "" or "-") throw new UsageException("--log wants a file; --json=items is the stream on standard output.");
        try
        {
            _log = new RunLog(path, lines,
                reason => messages.Unlogged($"warning: the log {path} cannot be written, and the run goes on without: {reason}"),
                host.TimeProvider);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--log: {path} cannot be written: {e.Message}");
        }

        _log.Begin(OptionText.CommandLine(args));
        messages.Record = _log.Write;
    }
}
