namespace Transfer.Testing.Ftp;

/// <summary>A command the server knows.</summary>
/// <param name="Run">Executes and answers the command.</param>
/// <param name="NeedsLogin">Answered 530 before the log-in.</param>
/// <param name="IsTransfer">Uses the data connection that was set up.</param>
/// <param name="NeedsArgument">Answered 501 without an argument.</param>
internal sealed record CommandEntry(CommandHandler Run, bool NeedsLogin = true, bool IsTransfer = false, bool NeedsArgument = false);
