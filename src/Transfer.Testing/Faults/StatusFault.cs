namespace Transfer.Testing.Faults;

/// <summary>Sends an SFTP status in place of a request's execution, or of the reply.</summary>
internal sealed record StatusFault(SftpTestStatus Status, string Text) : FaultAction;
