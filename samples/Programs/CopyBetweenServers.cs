using Transfer;

namespace Programs;

/// <summary>A folder from one server to another, over any two protocols, with nothing on this machine's disk.</summary>
internal static class CopyBetweenServers
{
    public static async Task RunAsync(TransferClient from, TransferClient to)
    {
        var job = await from.CopyDirectoryAsync("photos", to, "photos.copy", new DirectoryOptions { Overwrite = OverwriteMode.Skip });
        Console.WriteLine($"{job.Files} files copied, {job.Skipped} skipped");

        var again = await from.SynchronizeAsync("photos", to, "photos.copy", new SyncOptions { Delete = true });
        Console.WriteLine($"{again.Files} copied, {again.Unchanged} unchanged");
    }
}
