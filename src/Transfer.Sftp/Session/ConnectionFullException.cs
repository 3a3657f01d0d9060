namespace Transfer.Sftp.Session;

/// <summary>The one connection there may be (see <see cref="ISshSessions.HasOneTimeLogIn"/>) carries as many sessions as it may.</summary>
internal sealed class ConnectionFullException()
    : TransferException(TransferError.Denied, "The log-in took an answer that counts once, so there is one connection, and it takes no further session.");
