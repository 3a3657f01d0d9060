using System.CommandLine;
using System.Globalization;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Scripts;

/// <summary>Runs the lines of a file over one connection.</summary>
internal sealed class RunVerb(LineRunner run) : Verb("run", "[OPTIONS] FILE|- [NAME=VALUE...]",
    "Run many commands, a line each, over one connection.")
{
    public override string Details => """
        A line is a verb with its options and arguments, as behind transfer. With --server a path at the server needs no
        URL: get a.csv down/, ls, rm old/*.gz. It is relative to the folder of --server, or of the last cd, and otherwise
        as in a URL; / begins at the root, ~ at the log-in folder. copy, sync and check take :PATH for one at the server.
        Log-in and connection are options of run: all lines share them, and the sessions that are open.

        Beside the verbs: cd [DIR], lcd [DIR], pwd, lpwd; set NAME VALUE and echo WORD...; sleep TIME; on-error stop|continue,
        at first stop; exit [CODE]. A verb with a dash before it, as in -rm x, may fail. # begins a remark. '...' is
        literal, "..." and bare words have variables: ${NAME} of set, of the call or of the environment; ${date},
        ${date-1d:yyyyMMdd} and ${utc:HHmm} are the time at which the script began.

        The exit code is the one of the line that ended the script; with on-error continue it is 0 if all was done.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "run nightly.txt --server sftp://me@files.example.com/in/",
        "run fetch.txt --server ftpes://me@ftp.example.com/ --password-file pw day=2031-05-02",
        "printf 'cd /in\\nget *.csv down/\\n' | transfer run - --server sftp://me@files.example.com/",
    ];

    public override bool OpensSession => true;

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Word;

    public override bool IsForScripts => false;

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Script", [options.Server, options.Limit]), Groups.Login(options), Groups.Connection(options)];

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count == 0) throw new UsageException("run wants a file of commands, or - for standard input.");
        var file = invocation.Paths[0];
        if (Scheme.IsUrl(file)) throw new UsageException("run wants a file of commands; the server is behind --server.");
        var isInput = file == "-";
        await using var opened = SessionSource.Open(invocation, invocation.Server, isInput);
        var host = isInput ? invocation.Host with { Input = new ScriptInput() } : invocation.Host;
        var runner = new ScriptRunner(host, opened.Session, run, new ScriptGeneral(invocation));
        foreach (var pair in invocation.Paths.Skip(1))
        {
            var equals = pair.IndexOf('=', StringComparison.Ordinal);
            if (equals < 0) throw new UsageException("run wants one file, and then variables as NAME=VALUE.");
            runner.Variables.Set(pair[..equals], pair[(equals + 1)..]);
        }

        using var reader = isInput
            ? new StreamReader(invocation.Host.Input, NameEncoding.LosslessUtf8, leaveOpen: true) : OpenFile(file);
        return await RunAsync(invocation, runner, isInput ? "standard input" : file, reader, ct);
    }

    private static async Task<int> RunAsync(
        Invocation invocation, ScriptRunner runner, string name, StreamReader reader, CancellationToken ct)
    {
        var codes = new List<int>();
        for (var number = 1; await reader.ReadLineAsync(ct) is { } line; number++)
        {
            if (await runner.RunAsync(line, ct) is not { } code) continue;
            if (runner.End is { } end) return end;
            codes.Add(code);
            if (code == ExitCode.Done) continue;
            var stops = runner.StopsOnError || ct.IsCancellationRequested;
            invocation.Messages.Error(string.Create(CultureInfo.InvariantCulture,
                $"{name}, line {number} ended with {code}, and the script {(stops ? "stops there" : "goes on")}."));
            if (stops) return code;
        }

        return ExitCode.OfAll(codes);
    }

    private static StreamReader OpenFile(string path)
    {
        try
        {
            return new StreamReader(path, NameEncoding.LosslessUtf8);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{path} cannot be read: {e.Message}");
        }
    }
}
