using System.Runtime.CompilerServices;
using Renci.SshNet.Sftp;
using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>Lists a directory as SSH.NET does: one READDIR after the other.</summary>
/// <param name="calls">The session's calls.</param>
/// <param name="looks">The session's looks.</param>
internal sealed class SshNetLister(SshNetCalls calls, SshNetLooks looks)
{
    public async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var full = looks.Expand(directory);
        using var given = CancellationTokenSource.CreateLinkedTokenSource(ct);
        IAsyncEnumerator<ISftpFile>? files = null;
        var (prefix, dropped) = ((string?)null, 0);
        var isEnded = false;
        try
        {
            while (true)
            {
                var isMore = await calls.RunAsync("Cannot list", directory, (client, _) =>
                {
                    files ??= client.ListDirectoryAsync(full, given.Token).GetAsyncEnumerator(CancellationToken.None);
                    return files.MoveNextAsync().AsTask();
                }, ct).ConfigureAwait(false);
                isEnded = !isMore;
                if (isEnded) break;
                var file = files!.Current;
                // All full names begin with one folder: a name with a slash would belong to another folder.
                var folder = file.FullName[..(file.FullName.Length - file.Name.Length)];
                prefix ??= folder;
                if (file.Name is "." or "..") continue;
                if (file.Name.Length == 0 || folder != prefix || file.Name.Contains('\0', StringComparison.Ordinal)) dropped++;
                else yield return SshNetEntries.ToEntry(RemotePath.Combine(directory, file.Name), file);
            }
        }
        finally
        {
            // Closes the directory at the server, unless the session was given up.
            if (!isEnded && calls.Usable && files is not null) await files.DisposeAsync().ConfigureAwait(false);
        }
        if (dropped > 0) report.AddGap($"{dropped} names hold a slash or NUL, or nothing, and were dropped");
    }
}
