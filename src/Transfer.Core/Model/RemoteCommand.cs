namespace Transfer;

/// <summary>A command that runs at a server (<see cref="IRemoteCommands"/>). Disposal ends the command's input and output; the server
/// decides about the command itself.</summary>
public abstract class RemoteCommand : IAsyncDisposable
{
    /// <summary>The command's output to read and input to write, independent of each other; asynchronous only.</summary>
    public abstract Stream Stream { get; }

    /// <summary>The last few thousand characters that the command has written to the error stream so far.</summary>
    public abstract string ErrorText { get; }

    /// <summary>The exit status, once the command has ended; null: the server sent none, as after a signal.</summary>
    public abstract Task<int?> ExitStatus { get; }

    /// <summary>The path's round trip, measured while connecting; zero: not known.</summary>
    public abstract TimeSpan RoundTrip { get; }

    /// <summary>
    /// Requests the server to end the command, as SIGTERM does (RFC 4254 section 6.9). The server does not answer, and may ignore the
    /// request, as the command may: OpenSSH since 7.9 obeys, unless the command is a forced one. Nothing happens where the command has
    /// ended.
    /// </summary>
    public abstract ValueTask TerminateAsync();

    /// <summary>Ends the command's input.</summary>
    public abstract ValueTask CompleteInputAsync();

    /// <summary>Closes the connection to the command.</summary>
    public abstract ValueTask DisposeAsync();
}
