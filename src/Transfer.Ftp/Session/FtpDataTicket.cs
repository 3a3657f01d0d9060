using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>An announced data connection: the command that announces it and, in active mode, who waits for it.</summary>
internal sealed class FtpDataTicket : IAsyncDisposable
{
    public FtpDataTicket(FtpCommand command, DataSettings settings, ActiveListener? listener)
    {
        Command = command;
        Settings = settings;
        Listener = listener;
    }

    public FtpCommand Command { get; }

    public DataSettings Settings { get; }

    public ActiveListener? Listener { get; }

    public ValueTask DisposeAsync() => Listener?.DisposeAsync() ?? ValueTask.CompletedTask;
}
