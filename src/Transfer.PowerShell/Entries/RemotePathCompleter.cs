using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Completes paths from the server's folders. Waits at most two seconds, and lists a folder at most once in ten seconds.</summary>
public sealed class RemotePathCompleter : IArgumentCompleter
{
    private const int Most = 1000;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Freshness = TimeSpan.FromSeconds(10);
    private static readonly Lock Gate = new();
    private static Listing? _last;

    /// <inheritdoc/>
    public IEnumerable<CompletionResult> CompleteArgument(string commandName, string parameterName, string wordToComplete,
        CommandAst commandAst, IDictionary fakeBoundParameters)
    {
        if (ServerOf(fakeBoundParameters) is not { } server) return [];
        var word = Unquoted(wordToComplete ?? string.Empty);
        var slash = word.LastIndexOf('/');
        var (folder, begin) = (word[..(slash + 1)], word[(slash + 1)..]);
        return from entry in List(server, folder, begin)
               where Begins(entry, begin)
               let isFolder = entry.Type == RemoteEntryType.Directory
               let text = folder
                   + (parameterName == "LiteralPath" ? entry.Name : WildcardPattern.Escape(entry.Name)) + (isFolder ? "/" : string.Empty)
               select new CompletionResult(CommandText.Quoted(text), entry.Name,
                   isFolder ? CompletionResultType.ProviderContainer : CompletionResultType.ProviderItem, entry.Path);
    }

    private static TransferServer? ServerOf(IDictionary bound) => PipelineValue.Unwrap(bound["Server"]) switch
    {
        TransferServer server => server,
        string name => ServerBoard.Find(name),
        _ => ServerBoard.Current,
    };

    private static IReadOnlyList<RemoteEntry> List(TransferServer server, string folder, string begin)
    {
        lock (Gate)
        {
            if (_last?.Has(server, folder, begin) == true) return _last.Entries;
        }
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            // Those that begin so, and of these the first: a large folder has more than are offered.
            var entries = Task.Run(
                () => server.Client.ListAsync(folder, new() { AcceptPartial = true }, patience.Token)
                    .Where(entry => Begins(entry, begin)).Take(Most).ToListAsync(patience.Token).AsTask()).GetAwaiter().GetResult();
            lock (Gate) _last = new(server, folder, begin, TimeProvider.System.GetTimestamp(), entries);
            return entries;
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
        {
            // Completion cannot report a reason: the command itself will.
            return [];
        }
    }

    private static bool Begins(RemoteEntry entry, string begin) => entry.Name.StartsWith(begin, StringComparison.OrdinalIgnoreCase);

    private static string Unquoted(string word) =>
        word is ['\'', ..] ? word.Trim('\'').Replace("''", "'", StringComparison.Ordinal) : word.Trim('"');

    private sealed record Listing(TransferServer Server, string Folder, string Begin, long At, IReadOnlyList<RemoteEntry> Entries)
    {
        // A listing with as many as are offered may lack entries that begin with more.
        public bool Has(TransferServer server, string folder, string begin) => Server == server && Folder == folder
            && (begin == Begin || Entries.Count < Most && begin.StartsWith(Begin, StringComparison.OrdinalIgnoreCase))
            && TimeProvider.System.GetElapsedTime(At) < Freshness;
    }
}
