using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Makes the step that copies from one client to another.</summary>
internal static class CopySteps
{
    /// <summary>Refuses what only servers can do, where both sides are local.</summary>
    public static void CheckLocal(TransferSettings transfer)
    {
        if (transfer.Segments is not null)
            throw new UsageException("--segments is for servers: from folder to folder here files are not divided.");
    }

    /// <summary>Makes the step.</summary>
    /// <param name="source">Whose file or folder it is.</param>
    /// <param name="from">Its path; of a folder it may end in /.</param>
    /// <param name="name">How messages call it.</param>
    /// <param name="destination">Where it goes.</param>
    /// <param name="to">The path there.</param>
    /// <param name="intoDirectory">A file keeps its name, in the folder at <paramref name="to"/>.</param>
    /// <param name="transfer">The options.</param>
    /// <param name="journals">Where its journal is kept,</param>
    /// <param name="names">by what names of the two sides.</param>
    public static TransferStep Create(
        TransferClient source, string from, string name, TransferClient destination, string to, bool intoDirectory,
        TransferSettings transfer, Journals journals, (string From, string To) names)
    {
        var directory = TransferStep.Job(name, [source, destination], name.TrimEnd('/') + "/", run =>
            source.StartCopyDirectory(from, destination, to, journals.Directory(names.From, names.To), readItems: true, run.Progress,
                run.Abort));
        if (from.EndsWith('/')) return directory;

        var target = intoDirectory ? RemotePath.Combine(to, RemotePath.GetName(from)) : to;
        return new TransferStep(name, [source, destination], IsDirectory: false, async (report, run) =>
        {
            if (transfer.DryRun)
            {
                var entry = await source.GetEntryAsync(from, run.Abort);
                if (entry is { Type: RemoteEntryType.Directory }) await directory.RunAsync(report, run);
                else DryFile.Plan(report, name, entry, await DryFile.LookAsync(destination, target, run.Abort), transfer.Overwrite);
                return;
            }

            if (transfer.Filter is { } filter && await source.GetEntryAsync(from, run.Abort) is { Type: not RemoteEntryType.Directory } file
                && !filter.Takes(file.Name, file.Type, file.Length, file.Modified))
            {
                return;
            }

            try
            {
                report.Report(
                    await run.FollowFileAsync(source.StartCopyFile(from, destination, target, journals.Upload(names.From, names.To),
                        readItems: true, run.Progress, run.Abort)) with
                    { Path = name });
            }
            catch (TransferException e) when (e.Error is TransferError.NotFound or TransferError.Denied or TransferError.Unsupported)
            {
                // Most likely it was a file, so only now it is asked what it is.
                if (await source.GetEntryAsync(from, run.Abort) is not { Type: RemoteEntryType.Directory }) throw;
                await directory.RunAsync(report, run);
            }
        });
    }
}
