using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>What most likely is a file to download.</summary>
/// <param name="Url">The URL that names it, or matches.</param>
/// <param name="Client">The client of the server.</param>
/// <param name="Path">The path.</param>
/// <param name="Modified">The time, where it was looked at.</param>
internal sealed record PlannedDownload(TransferUrl Url, TransferClient Client, string Path, DateTimeOffset? Modified);
