using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Makes the step that copies from one client to another.</summary>
internal static class CopySteps
{
    public static TransferStep Create(
        TransferClient source, string from, string name, TransferClient destination, string to, bool intoDirectory, TransferSettings transfer, DirectoryOptions folder)
    {
        var directory = TransferStep.Directory(
            name, [source, destination], folder, name.TrimEnd('/') + "/",
            (options, progress, ct) => source.CopyDirectoryAsync(from, destination, to, options, progress, ct));
        if (from.EndsWith('/')) return directory;

        var target = intoDirectory ? RemotePath.Combine(to, RemotePath.GetName(from)) : to;
        return new TransferStep(name, [source, destination], IsDirectory: false, async (report, progress, ct) =>
        {
            if (transfer.DryRun)
            {
                var entry = await source.GetEntryAsync(from, ct);
                if (entry is { Type: RemoteEntryType.Directory }) await directory.RunAsync(report, progress, ct);
                else DryFile.Plan(report, name, entry, await destination.GetEntryAsync(target, ct), transfer.Overwrite);
                return;
            }

            try
            {
                report.Add(await source.CopyFileAsync(from, destination, target, transfer.Upload, progress, ct));
            }
            catch (TransferException e) when (e.Error is TransferError.NotFound or TransferError.Denied or TransferError.Unsupported)
            {
                // Most likely it was a file, so only now it is asked what it is.
                if (await source.GetEntryAsync(from, ct) is not { Type: RemoteEntryType.Directory }) throw;
                await directory.RunAsync(report, progress, ct);
            }
        });
    }
}
