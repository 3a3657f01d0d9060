namespace Transfer.Testing.Sftp;

/// <summary>Executes a request and writes the reply.</summary>
internal delegate ValueTask SftpHandler(SftpContext context, SftpRequest request, CancellationToken ct);
