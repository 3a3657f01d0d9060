using Transfer.Filters;

namespace Transfer.Companions;

/// <summary>A part of a companion's job that the client does, file by file.</summary>
public sealed record JobPart
{
    /// <summary>The only items of the part, by their paths relative to the directory, with forward slashes; null: all.</summary>
    public IReadOnlyCollection<string>? Only { get; init; }

    /// <summary>The items that are no part of it, by their paths relative to the directory, with forward slashes; null: none.</summary>
    public IReadOnlySet<string>? Without { get; init; }

    /// <summary>Receives the path of each directory that is created, with or without files; null: not wanted.</summary>
    public IProgress<string>? Directories { get; init; }

    /// <summary>Takes over some of the files; null: the client moves all. Without effect in a dry run.</summary>
    public IFileTaker? Taker { get; init; }

    /// <summary>The journal of the companion's job, which the part reads and writes and neither opens nor ends; null: the job has
    /// none.</summary>
    public ItemJournal? Journal { get; init; }

    internal DirectoryOptions Of(DirectoryOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        return options with
        {
            Only = Only is null ? null : new ItemSelection(Only),
            Without = Without,
            Folders = Directories,
            Taker = options.DryRun ? null : Taker,
            IsPart = true,
            Lent = Journal?.Lend(),
            Lock = null,
        };
    }
}
