using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>A single file in a dry run: both sides are looked at, and nothing else.</summary>
internal static class DryFile
{
    /// <summary>Looks at where a file would go; null: nothing is there, and the file's folder is there or can be made.</summary>
    /// <exception cref="TransferException">A file has the name of the folder.</exception>
    public static async Task<RemoteEntry?> LookAsync(TransferClient client, string path, CancellationToken ct)
    {
        if (await client.GetEntryAsync(path, ct) is { } there) return there;
        if (RemotePath.GetParent(path) is not { Length: > 1 } folder) return null;
        return await client.GetEntryAsync(folder, ct) is { Type: RemoteEntryType.File }
            ? throw new TransferException(TransferError.Exists, $"{folder} exists, and is no folder.") : null;
    }

    /// <summary>Says what would become of a file.</summary>
    /// <param name="report">Gets it.</param>
    /// <param name="name">How messages call the file.</param>
    /// <param name="source">The file; null: there is none.</param>
    /// <param name="target">What is there where it would go; null: nothing.</param>
    /// <param name="overwrite">What to do then.</param>
    public static void Plan(JobReport report, string name, RemoteEntry? source, RemoteEntry? target, OverwriteMode overwrite)
    {
        if (source is null) throw new TransferException(TransferError.NotFound, "There is no such file or folder.");
        if (target is { Type: RemoteEntryType.Directory or RemoteEntryType.Other } || target is not null && overwrite == OverwriteMode.Fail)
            throw new TransferException(TransferError.Exists, "The target exists.");
        var skip = target is not null
            && (overwrite == OverwriteMode.Skip || overwrite == OverwriteMode.Newer && !(source.Modified > target.Modified));
        report.Report(new ItemResult
        {
            Path = name,
            Action = skip ? ItemAction.Skip : ItemAction.Transfer,
            Result = new TransferResult { Bytes = skip ? 0 : source.Length ?? 0, Skipped = skip },
        });
    }
}
