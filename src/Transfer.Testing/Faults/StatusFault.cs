namespace Transfer.Testing.Faults;

/// <summary>An SFTP status in place of a request's execution, or of its reply.</summary>
internal sealed record StatusFault(SftpTestStatus Status, string Text) : FaultAction;
