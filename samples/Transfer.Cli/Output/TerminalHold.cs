namespace Transfer.Cli.Output;

/// <summary>Gives the terminal back when it is disposed of.</summary>
internal sealed class TerminalHold(SemaphoreSlim terminal) : IDisposable
{
    public void Dispose() => terminal.Release();
}
