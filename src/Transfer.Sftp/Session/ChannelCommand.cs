using Transfer.Sftp.Ssh.Channels;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>A command on a channel.</summary>
internal sealed class ChannelCommand : RemoteCommand
{
    private readonly SshChannel _channel;

    public ChannelCommand(SshChannel channel)
    {
        _channel = channel;
        Stream = new ChannelStream(channel);
    }

    public override Stream Stream { get; }

    public override string ErrorText => _channel.ErrorText;

    public override Task<int?> ExitStatus => _channel.ExitStatus;

    public override TimeSpan RoundTrip => _channel.RoundTrip;

    public override ValueTask TerminateAsync()
    {
        _channel.Terminate();
        return default;
    }

    public override ValueTask CompleteInputAsync() => _channel.Output.CompleteAsync();

    public override ValueTask DisposeAsync() => _channel.DisposeAsync();
}
