namespace Transfer.Cli.Host;

/// <summary>A terminal on which lines are edited and run.</summary>
/// <param name="ReadKey">Waits for a key, which is not shown.</param>
/// <param name="Width">The columns of the terminal.</param>
/// <param name="TakeControlC">Makes Ctrl-C a key (true), or an interruption again.</param>
/// <param name="BeginLine">Begins a line, and returns the token that Ctrl-C cancels until the next one.</param>
/// <param name="Leave">Ends the process while a key is waited for, which cannot be cancelled.</param>
internal sealed record ShellTerminal(
    Func<ConsoleKeyInfo> ReadKey, Func<int> Width, Action<bool> TakeControlC, Func<CancellationToken> BeginLine, Action Leave)
{
    private const int UsualWidth = 80;

    /// <summary>The terminal of the process.</summary>
    public static ShellTerminal Of(Interruption interruption) => new(
        () => Console.ReadKey(intercept: true),
        () => Console.WindowWidth is > 0 and var width ? width : UsualWidth,
        isKey => Console.TreatControlCAsInput = isKey,
        interruption.BeginLine,
        () => Environment.Exit(ExitCode.Interrupted));
}
