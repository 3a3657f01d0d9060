using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>An announced data connection: the command that announces it and, in active mode, the listener.</summary>
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

    /// <summary>The connection opened ahead of its transfer; null: none.</summary>
    public FtpDataAhead? Ahead { get; init; }

    public async ValueTask DisposeAsync()
    {
        if (Listener is not null) await Listener.DisposeAsync().ConfigureAwait(false);
        if (Ahead is not null) await Ahead.DisposeAsync().ConfigureAwait(false);
    }
}
