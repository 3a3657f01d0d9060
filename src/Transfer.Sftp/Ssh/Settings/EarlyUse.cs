namespace Transfer.Sftp.Ssh.Settings;

/// <summary>A subsystem that is requested in one flight with the log-in.</summary>
/// <param name="Subsystem">The name, for example <c>sftp</c>.</param>
/// <param name="Begin">
/// Receives the channel and the server's version line as soon as the first bytes may be written. When the log-in takes more than one
/// attempt, or fails, the channel fails.
/// </param>
internal sealed record EarlyUse(string Subsystem, Action<SshChannel, string> Begin);
