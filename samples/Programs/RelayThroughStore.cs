using Transfer;
using Transfer.Batch;

namespace Programs;

/// <summary>A folder to several recipients through a server that none of them needs to trust.</summary>
internal static class RelayThroughStore
{
    public static async Task SendAsync(TransferClient store, SpoolKey mine, SpoolPublicKey ann, SpoolPublicKey ben)
    {
        var sender = new SpoolSender(store, "spool", mine, new SpoolSenderOptions { StateFolder = "sender.state" });
        var job = await sender.SendAsync("photos", [new SpoolRecipient("ann", ann), new SpoolRecipient("ben", ben)]);
        Console.WriteLine($"{job.Files} files are in the store");
    }

    public static async Task FetchAsync(TransferClient store, string name, SpoolKey mine, SpoolPublicKey sender)
    {
        var fetcher = new SpoolFetcher(store, "spool", name, mine,
            new SpoolFetcherOptions { StateFolder = $"{name}.state", Senders = [sender] });
        var job = await fetcher.FetchAsync($"for-{name}");
        Console.WriteLine($"{name} has {job.Files} files");
    }
}
