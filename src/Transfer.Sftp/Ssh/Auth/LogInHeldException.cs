namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// No log-in was tried: a connection to the host is open whose log-in took one-time answers. Channels open on that connection instead.
/// </summary>
internal sealed class LogInHeldException(string host)
    : TransferException(TransferError.Denied, $"The log-in to {host} took an answer that counts once, and its connection is the only one.");
