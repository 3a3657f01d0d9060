using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Scripts.Shell;

/// <summary>Runs commands as they are typed, over one connection.</summary>
internal sealed class ShellVerb(Func<IReadOnlyList<Verb>> verbs, LineRunner run)
    : Verb("shell", "[OPTIONS] URL", "Run commands as they are typed, over one connection.")
{
    public override string Details => """
        Lines are those of run: a verb with its options and arguments, whose paths at the server need no URL; cd, lcd,
        pwd, lpwd, set, echo, sleep; exit or Ctrl-D ends. A line that fails ends nothing. Ctrl-C interrupts the line that runs.
        Tab completes verbs, options, and names at the server and here; the arrows recall lines, also those of earlier
        shells. A line that begins with a blank, or has a password in a URL, is not remembered.
        """;

    public override IReadOnlyList<string> Examples => ["shell sftp://me@files.example.com/in/"];

    public override bool OpensSession => true;

    public override bool IsForScripts => false;

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Lines", [options.Limit]), Groups.Login(options), Groups.Connection(options)];

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        var terminal = invocation.Host.Shell
            ?? throw new UsageException("shell wants a terminal; transfer run - takes commands from standard input.");
        await using var opened = SessionSource.Open(invocation, invocation.Server, inputIsTaken: false);
        try
        {
            await using var connector = new Connector(opened.Session.Clients, opened.Session.Profiles);
            await (await connector.OpenAsync(url, opened.Session.Clients.Login, ambient: true, ct)).ConnectAsync(ct);
        }
        catch (TransferException e)
        {
            invocation.Messages.Error($"{url.Redacted}: {e.Message}");
            return ExitCode.For(e);
        }

        var history = new ShellHistory(StateFolder.Find(invocation.Host, "shell"), invocation.Messages);
        var runner = new ScriptRunner(invocation.Host, opened.Session, run, new ScriptGeneral(invocation));
        var completion = new ShellCompletion(verbs(), invocation.Options, opened.Session);
        var editor = new LineEditor(terminal, invocation.Host.Error, history.Lines, completion.CompleteAsync);
        while (await ReadAsync(terminal, editor, Prompt(opened.Session), ct) is { } line)
        {
            history.Add(line);
            using var both = CancellationTokenSource.CreateLinkedTokenSource(ct, terminal.BeginLine());
            await runner.RunAsync(line, both.Token);
            if (runner.End is { } end) return end;
            ct.ThrowIfCancellationRequested();
        }

        return ExitCode.Done;
    }

    private static async Task<string?> ReadAsync(ShellTerminal terminal, LineEditor editor, string prompt, CancellationToken ct)
    {
        terminal.TakeControlC(true);
        try
        {
            return await editor.ReadAsync(prompt, ct);
        }
        finally
        {
            terminal.TakeControlC(false);
        }
    }

    private static string Prompt(Session session) =>
        $"{PrintableText.Of(UrlParser.Parse(session.Remote(".")).Redacted)}> ";
}
