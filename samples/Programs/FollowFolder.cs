using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>An outbox: files are sent as soon as they are complete, until the service stops.</summary>
internal static class FollowFolder
{
    public static async Task RunAsync(Uri server, TransferCredential logIn, CancellationToken stopping)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions { Credential = logIn });

        await using var job = client.StartWatch("outbox", "in", SyncDirection.Up, new WatchOptions
        {
            Settle = TimeSpan.FromSeconds(2), // Size and time of a file stay the same for so long.
            Sync = new SyncOptions
            {
                MoveSourceTo = "sent", // Below the outbox, and not followed.
                Filter = new TransferFilter { Exclude = ["*.part"] },
            },
        }, readItems: true, cancellationToken: CancellationToken.None);

        using var stop = stopping.Register(() => _ = job.StopAsync()); // Files under way are finished.
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None))
            Console.WriteLine($"{item.Path}: {item.Error?.Message ?? "sent"}");
        var result = await job.Completion;
        Console.WriteLine($"{result.Files} files sent, {result.Failed} not");
    }
}
