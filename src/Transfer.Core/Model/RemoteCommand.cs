namespace Transfer;

/// <summary>A command that runs at a server (<see cref="IRemoteCommands"/>). Disposing it ends its input and output; what the server does to the command then is the server's affair.</summary>
public abstract class RemoteCommand : IAsyncDisposable
{
    /// <summary>The command's output to read and its input to write, independent of each other; asynchronous only.</summary>
    public abstract Stream Stream { get; }

    /// <summary>The last few thousand characters that it wrote to its error stream so far.</summary>
    public abstract string ErrorText { get; }

    /// <summary>The exit status, once it has ended; null when the server told none, as after a signal.</summary>
    public abstract Task<int?> ExitStatus { get; }

    /// <summary>The path's round trip as connecting showed it; zero: not known.</summary>
    public abstract TimeSpan RoundTrip { get; }

    /// <summary>
    /// Asks the server to end the command, as SIGTERM does (RFC 4254 section 6.9). The server does not answer, and may pass it over, as
    /// the command may: OpenSSH since 7.9 obeys, unless the command is a forced one. Nothing happens where the command has ended.
    /// </summary>
    public abstract ValueTask TerminateAsync();

    /// <summary>Ends its input.</summary>
    public abstract ValueTask CompleteInputAsync();

    /// <summary>Closes the way to it.</summary>
    public abstract ValueTask DisposeAsync();
}
