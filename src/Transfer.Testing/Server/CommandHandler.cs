namespace Transfer.Testing.Server;

/// <summary>Executes a command and answers it. A store's exceptions are answered by the caller.</summary>
internal delegate Task CommandHandler(FtpSession session, string argument, CancellationToken ct);
