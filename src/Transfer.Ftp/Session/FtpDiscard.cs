namespace Transfer.Ftp.Session;

/// <summary>Why a work item is discarded.</summary>
/// <param name="Error">The reason.</param>
/// <param name="Unfinished">The file that is to be deleted: its temporary path, or where a rename has brought it; null: there is none.</param>
/// <param name="IsNameRefused">All of it was there, and its rename was refused.</param>
internal sealed record FtpDiscard(TransferException Error, string? Unfinished, bool IsNameRefused);
