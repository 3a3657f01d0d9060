namespace Transfer.PowerShell.Clients;

/// <summary>A log message of a client.</summary>
/// <param name="Level">The level.</param>
/// <param name="Text">The message, without secrets and control characters.</param>
public readonly record struct ClientMessage(ClientMessageLevel Level, string Text)
{
    /// <summary>Writes the message to the stream for the level.</summary>
    /// <param name="debug">Write-Debug.</param>
    /// <param name="verbose">Write-Verbose.</param>
    /// <param name="warning">Write-Warning.</param>
    public void WriteTo(Action<string> debug, Action<string> verbose, Action<string> warning)
    {
        var write = Level switch
        {
            ClientMessageLevel.Debug => debug,
            ClientMessageLevel.Verbose => verbose,
            _ => warning,
        };
        write(Text);
    }
}
