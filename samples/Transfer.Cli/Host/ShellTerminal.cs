namespace Transfer.Cli.Host;

/// <summary>A terminal on which lines are edited and run.</summary>
/// <param name="ReadKey">Waits for a key, which is not shown, until the token fires.</param>
/// <param name="Width">The columns of the terminal.</param>
/// <param name="TakeControlC">Makes Ctrl-C a key (true), or an interruption again.</param>
/// <param name="BeginLine">Begins a line, and returns the token that Ctrl-C cancels until the next one.</param>
internal sealed record ShellTerminal(
    Func<CancellationToken, ConsoleKeyInfo> ReadKey, Func<int> Width, Action<bool> TakeControlC, Func<CancellationToken> BeginLine)
{
    private const int UsualWidth = 80;

    /// <summary>The terminal of the process.</summary>
    public static ShellTerminal Of(Interruption interruption) => new(
        ct => TerminalKeys.Read(interruption, ct),
        () => Console.WindowWidth is > 0 and var width ? width : UsualWidth,
        TerminalKeys.TakeControlC,
        interruption.BeginLine);
}
