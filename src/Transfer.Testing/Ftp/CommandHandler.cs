namespace Transfer.Testing.Ftp;

/// <summary>Executes and answers a command. The caller answers a store's exceptions.</summary>
internal delegate Task CommandHandler(FtpSession session, string argument, CancellationToken ct);
