using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>The conditions of find.</summary>
internal sealed class EntryMatch
{
    private readonly IReadOnlyList<Glob> _names;
    private readonly RemoteEntryType? _type;
    private readonly TransferFilter? _filter;

    /// <summary>Reads the options.</summary>
    public EntryMatch(Invocation invocation)
    {
        var look = invocation.Options.Look;
        _names = [.. invocation.Values(look.Name).Select(text => text.Length == 0
            ? throw new UsageException("--name wants a pattern.") : new Glob(text, matchesDots: true))];
        _type = invocation.Value(look.Type) switch
        {
            null => null,
            "f" or "file" => RemoteEntryType.File,
            "d" or "directory" => RemoteEntryType.Directory,
            "l" or "link" => RemoteEntryType.Link,
            "other" => RemoteEntryType.Other,
            _ => throw new UsageException("--type wants file, directory, link or other."),
        };
        _filter = invocation.Transfer.Filter;
    }

    /// <summary>Whether an entry meets all conditions. An unknown length or time meets none about it.</summary>
    public bool Takes(RemoteEntry entry) =>
        (_type is null || entry.Type == _type)
        && (_names.Count == 0 || _names.Any(name => name.IsMatch(entry.Name)))
        && (_filter is null || Takes(_filter, entry));

    private static bool Takes(TransferFilter filter, RemoteEntry entry)
    {
        var isFile = entry.Type == RemoteEntryType.File;
        if (filter.MinSize is { } least && !(isFile && entry.Length >= least)) return false;
        if (filter.MaxSize is { } most && !(isFile && entry.Length <= most)) return false;
        if (filter.NewerThan is { } after && !(entry.Modified >= after)) return false;
        return filter.OlderThan is not { } before || entry.Modified < before;
    }
}
