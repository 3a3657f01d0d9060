using Transfer;
using Transfer.Batch;

namespace Programs;

/// <summary>A folder from one machine to another, without a server between them.</summary>
internal static class HostToHost
{
    /// <summary>On the machine that receives: the address is a secret, for whoever has it may send.</summary>
    public static async Task<JobResult> ReceiveAsync(Action<string> tellSender)
    {
        await using var receiver = BatchReceiver.Listen("incoming", new BatchReceiverOptions { Host = "127.0.0.1" });
        tellSender(receiver.Address.ToText());
        return await receiver.ReceiveAsync();
    }

    /// <summary>On the machine that sends.</summary>
    public static async Task SendAsync(string address)
    {
        var sender = new BatchSender(BatchAddress.Parse(address));
        var job = await sender.SendAsync("photos");
        Console.WriteLine($"{job.Files} files are on the other disk, {job.Failed} failed");
    }
}
