using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>Finds entries by their facts.</summary>
internal sealed class FindVerb() : Verb("find", "[OPTIONS] URL", "Find files and folders in a folder and those below.")
{
    public override string Details => """
        Paths from the URL on, one a line, in the order of arrival, of the entries that meet all conditions: what
        --files-from takes, and find -0 what --files-from0 takes. --min-size and --max-size are for files. Links
        are not followed.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "find --name '*.csv' --newer-than 7d sftp://me@files.example.com/in/",
        "find --type file --min-size 1G -l ftp://ftp.example.com/pub/",
        "transfer find -0 --older-than 30d ftp://host/logs/ | transfer rm --files-from0 - ftp://host/logs/",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options)
    {
        var look = options.Look;
        return
        [
            ("Conditions",
                [look.Name, look.Type, options.MinSize, options.MaxSize, options.NewerThan, options.OlderThan, look.MaxDepth]),
            ("Output", [look.Long, look.Human, look.Utc, look.Zero, options.Json]), Groups.Login(options), Groups.Connection(options),
        ];
    }

    public override IReadOnlyList<string> UsualArguments(int count) => count == 0 ? ["."] : [];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        if (url.Pattern is not null) throw new UsageException("find wants a folder; --name takes the pattern.");
        if (invocation.Json && invocation.Given([invocation.Options.Look.Long, invocation.Options.Look.Zero]) is { } text)
            throw new UsageException($"{text} and --json contradict each other.");
        var (match, depth) = (new EntryMatch(invocation), Depth(invocation));
        return SingleServer.RunAsync(invocation, url, client => FindAsync(invocation, client, url, match, depth, ct), ct);
    }

    /// <summary>The levels to show; null: all.</summary>
    public static int? Depth(Invocation invocation)
    {
        var option = invocation.Options.Look.MaxDepth;
        return TransferSettings.ParseCount(invocation.Value(option), option.Name);
    }

    private static async Task<int> FindAsync(
        Invocation invocation, TransferClient client, TransferUrl url, EntryMatch match, int? depth, CancellationToken ct)
    {
        var paths = new EntryPaths();
        var listing = new ListOptions { Recursive = true, MaxDepth = depth };
        var found = paths.NoteAsync(EntrySource.ReadAsync(client, url, listing, invocation.MaxListing, ct)).Where(match.Takes);
        if (invocation.Json) return await EntryOutput.WriteJsonAsync(invocation.Host, url, found, ct);
        var format = ListVerb.Format(invocation);
        if (invocation.Flag(invocation.Options.Look.Zero)) format = format with { End = '\0' };
        return await EntryOutput.WriteAsync(invocation.Host, found, format, paths.Of, ct);
    }
}
