namespace Transfer.Sftp.Session;

/// <summary>The only permitted connection (see <see cref="ISshSessions.HasOneTimeLogIn"/>) is full.</summary>
internal sealed class ConnectionFullException()
    : TransferException(TransferError.Denied,
        "The log-in took an answer that counts once, so there is one connection, and it takes no further session.");
