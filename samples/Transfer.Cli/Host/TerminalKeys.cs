namespace Transfer.Cli.Host;

/// <summary>Keys of the terminal. Console.ReadKey cannot be cancelled, and the console's calls throw once the terminal is gone.</summary>
internal static class TerminalKeys
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <summary>Waits for a key, which is not shown. A terminal that is gone stops the run, as the signal of its end does.</summary>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> fired.</exception>
    public static ConsoleKeyInfo Read(Interruption interruption, CancellationToken ct)
    {
        while (true)
        {
            ct.ThrowIfCancellationRequested();
            if (StandardStream.HasNoPeer(StandardStream.Input)) interruption.HangUp();
            else if (TryRead() is { } key) return key;
            Thread.Sleep(Pause);
        }
    }

    /// <summary>Makes Ctrl-C a key (true), or an interruption again. Has no effect on a terminal that is gone.</summary>
    public static void TakeControlC(bool isKey) => Try(() => Console.TreatControlCAsInput = isKey);

    /// <summary>Hides the keys that are typed from now on.</summary>
    public static void Hide() => Try(() => _ = Console.KeyAvailable);

    private static ConsoleKeyInfo? TryRead()
    {
        ConsoleKeyInfo? key = null;
        Try(() => key = Console.KeyAvailable ? Console.ReadKey(intercept: true) : null);
        return key;
    }

    private static void Try(Action use)
    {
        try
        {
            use();
        }
        catch (Exception) when (StandardStream.HasNoPeer(StandardStream.Input))
        {
            // The next wait for a key stops the run.
        }
    }
}
