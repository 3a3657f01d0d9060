using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>One path that is looked up, and what the server has said of it so far.</summary>
internal sealed class FtpLook(string path)
{
    private TransferException? _refusal;

    public string Path => path;

    /// <summary>Neither found nor proved to be absent yet.</summary>
    public bool IsOpen { get; private set; } = true;

    /// <summary>
    /// Every refusal so far is of a command that the server has, and is for good: there is nothing of that name, or it may not be looked at.
    /// </summary>
    public bool IsDenied { get; private set; } = true;

    /// <summary>What is known now.</summary>
    public EntryOutcome Outcome { get; private set; }

    public void Found(RemoteEntry entry) => Close(new() { Entry = entry });

    public void IsAbsent() => Close(default);

    /// <summary>A means says nothing of it.</summary>
    public void Refused(FtpReply reply, FtpCommand command)
    {
        var error = ReplyErrors.ToException(reply, command, path, writes: false);
        if (error is TransferConnectionException) throw error;
        Refused(error);
        if (!reply.IsPermanentFailure || reply.Code is 500 or 502 or 504) IsDenied = false;
    }

    /// <summary>A means says nothing of it. The refusal that may pass is the one that is told of, else the last.</summary>
    public void Refused(TransferException error)
    {
        if (_refusal is not { IsTransient: true }) _refusal = error;
        // Of what may be there it must not be said that it is not.
        var kind = _refusal.Error == TransferError.NotFound ? TransferError.Denied : _refusal.Error;
        Outcome = new()
        {
            Error = new TransferException(kind, $"Whether {path} is there could not be found out: {_refusal.Message}", _refusal)
            {
                RemotePath = path,
                IsTransient = _refusal.IsTransient,
                ServerCode = _refusal.ServerCode,
            },
        };
    }

    private void Close(EntryOutcome outcome)
    {
        IsOpen = false;
        Outcome = outcome;
    }
}
