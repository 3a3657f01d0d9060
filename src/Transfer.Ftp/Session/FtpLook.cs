using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>One path to look up, and the server's answers so far.</summary>
internal sealed class FtpLook(string path)
{
    private TransferException? _refusal;

    public string Path => path;

    /// <summary>The code with which MLST was answered; 0: not sent.</summary>
    public int MlstCode { get; set; }

    /// <summary>Whether the entry is neither found nor proved absent yet.</summary>
    public bool IsOpen { get; private set; } = true;

    /// <summary>
    /// Whether every refusal so far is permanent and of a command that the server has: the entry does not exist, or access is denied.
    /// </summary>
    public bool IsDenied { get; private set; } = true;

    /// <summary>Whether the text of a refusal was about access.</summary>
    public bool IsAboutAccess { get; private set; }

    /// <summary>The present outcome.</summary>
    public EntryOutcome Outcome { get; private set; }

    public void Found(RemoteEntry entry) => Close(new() { Entry = entry });

    public void IsAbsent() => Close(default);

    /// <summary>Takes the refusal of a command, which leaves the look open.</summary>
    public void Refused(FtpReply reply, FtpCommand command)
    {
        var error = ReplyErrors.ToException(reply, command, path, writes: false);
        if (error is TransferConnectionException) throw error;
        Refused(error);
        IsAboutAccess |= ListingReply.IsAboutAccess(reply.Text, command.Argument!);
        if (!reply.IsPermanentFailure || reply.Code is 500 or 502 or 504) IsDenied = false;
    }

    /// <summary>Takes an error that leaves the look open. The outcome names the first transient error, else the last.</summary>
    public void Refused(TransferException error)
    {
        if (_refusal is not { IsTransient: true }) _refusal = error;
        // An open look must not report that the entry does not exist.
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
