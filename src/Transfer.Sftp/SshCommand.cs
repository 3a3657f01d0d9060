using Transfer.Sftp.Ssh.Channels;

namespace Transfer.Sftp;

/// <summary>A command that runs on an SSH server. Disposing it closes its channel; what the server does to the command then is the server's affair.</summary>
public sealed class SshCommand : IAsyncDisposable
{
    private readonly OpenChannel _channel;

    internal SshCommand(OpenChannel channel)
    {
        _channel = channel;
        Stream = new ChannelStream(channel);
    }

    /// <summary>The command's output to read and its input to write, independent of each other; asynchronous only.</summary>
    public Stream Stream { get; }

    /// <summary>The last 4,096 characters that the command wrote to its error stream so far.</summary>
    public string ErrorText => _channel.ErrorText;

    /// <summary>The exit status, once the command has ended; null when the server told none, as after a signal (RFC 4254 section 6.10).</summary>
    public Task<int?> ExitStatus => _channel.ExitStatus;

    /// <summary>Ends the command's input (EOF).</summary>
    public ValueTask CompleteInputAsync() => _channel.Output.CompleteAsync();

    /// <summary>Closes the channel.</summary>
    public ValueTask DisposeAsync() => _channel.DisposeAsync();
}
