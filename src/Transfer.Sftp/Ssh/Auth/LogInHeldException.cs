namespace Transfer.Sftp.Ssh.Auth;

/// <summary>No log-in was tried: one connection to the host is open, and its log-in took answers that count once. Channels are opened on that connection instead.</summary>
internal sealed class LogInHeldException(string host)
    : TransferException(TransferError.Denied, $"The log-in to {host} took an answer that counts once, and its connection is the only one.");
