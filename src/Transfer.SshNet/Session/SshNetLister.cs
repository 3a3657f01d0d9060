using System.Runtime.CompilerServices;
using Renci.SshNet.Sftp;
using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>Lists a directory as SSH.NET does: one READDIR after the other.</summary>
/// <param name="calls">The session's calls.</param>
/// <param name="looks">The session's looks.</param>
internal sealed class SshNetLister(SshNetCalls calls, SshNetLooks looks)
{
    // In a folder that may be entered an absent name is absent; else no name can be looked at.
    private const string Absent = ".transfer-none";

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
        if (prefix is null) await CheckEntersAsync(directory, full, ct).ConfigureAwait(false);
    }

    // OpenSSH omits what LSTAT refuses: all names, the folder's own too, where it may be read and not entered.
    private async ValueTask CheckEntersAsync(string directory, string full, CancellationToken ct)
    {
        try
        {
            await calls.RunAsync("Cannot list", directory,
                (client, watch) => client.GetAsync(RemotePath.Combine(full, Absent), watch.Token), ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException && e.Error != TransferError.Denied)
        {
            // As expected: the folder is empty.
        }
    }
}
