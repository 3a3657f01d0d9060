namespace Transfer.Ftp.Session;

/// <summary>The reason to discard a work item.</summary>
/// <param name="Error">The reason.</param>
/// <param name="Unfinished">The file to delete: the temporary path, or the path that a rename gave it; null: none.</param>
/// <param name="IsNameRefused">The whole content was stored, and the rename refused.</param>
internal sealed record FtpDiscard(TransferException Error, string? Unfinished, bool IsNameRefused);
