using System.Text;
using Transfer.Cli.Connections;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;
using Transfer.Local;

namespace Transfer.Cli.Commands.Scripts.Shell;

/// <summary>Completes verbs, their options, and names at the server and here.</summary>
internal sealed class ShellCompletion(IReadOnlyList<Verb> verbs, CliOptions options, Session session)
{
    // Characters of names that a URL's path, a pattern or a line has for itself.
    private const string Special = "%*?[]{}'\"#$";

    private readonly IReadOnlyList<VerbEntry> _verbs = [.. VerbEntry.All(verbs.Where(verb => verb.IsForScripts), options)];

    /// <summary>Completes the last word of a text.</summary>
    public async Task<Completion> CompleteAsync(string text, CancellationToken ct)
    {
        var start = text.LastIndexOf(' ') + 1;
        var (word, before) = (text[start..], text[..start].Split(' ', StringSplitOptions.RemoveEmptyEntries));
        if (before.Length == 0) return Completion.Of(word, _verbs.Select(entry => entry.Name).Concat(ScriptRunner.Commands));
        var verb = _verbs.FirstOrDefault(entry => entry.Name == before[0]);
        if (word.StartsWith('-')) return Completion.Of(word, verb?.Options.Select(option => option.Names[^1]) ?? []);
        var withValue = verb?.Options.Where(option => option.Value is not null).ToList() ?? [];
        if (withValue.Find(option => option.Names.Contains(before[^1])) is { } named)
            return named.IsFile ? Local(word) : Completion.Of(word, named.Choices);
        var index = before.Skip(1).Where((argument, i) =>
            !argument.StartsWith('-') && !withValue.Exists(option => option.Names.Contains(before[i]))).Count();
        var side = verb?.Verb.SideOf(index, Math.Max(2, index + 1)) ?? (before[0] switch
        {
            "cd" => ArgumentSide.Remote,
            "lcd" => ArgumentSide.Local,
            _ => ArgumentSide.Word,
        });
        return side switch
        {
            ArgumentSide.Remote => await RemoteAsync(word, ct),
            ArgumentSide.Either when word.StartsWith(':') || word.StartsWith('@') => await RemoteAsync(word, ct),
            ArgumentSide.Local or ArgumentSide.Either => Local(word),
            _ => Completion.None,
        };
    }

    private async Task<Completion> RemoteAsync(string word, CancellationToken ct)
    {
        if (word.StartsWith('@'))
        {
            var found = Completion.Of(word, session.Configuration.Profiles.Select(profile => $"@{profile.Name}/"));
            if (found != Completion.None || ProfileArguments.Resolve(word, session.Configuration, isPathElse: true).Profile is not null)
                return found;
        }

        var path = word.StartsWith(':') ? word[1..] : word;
        if (Scheme.IsUrl(path)) return Completion.None;
        var folder = word[..(word.LastIndexOf('/') + 1)];
        if (folder.Length == 0 && word.StartsWith(':')) folder = ":";
        try
        {
            var url = UrlParser.Parse(session.Remote(folder.TrimStart(':')));
            await using var connector = new Connector(session.Clients, session.Profiles);
            var client = await connector.OpenAsync(url, session.Clients.Login, ambient: true, ct);
            var names = new List<string>();
            await foreach (var entry in client.ListAsync(url.Path, options: null, ct))
                names.Add(folder + Encode(entry.Name) + (entry.Type == RemoteEntryType.Directory ? "/" : string.Empty));
            return Completion.Of(word, names);
        }
        catch (Exception e) when (e is TransferException or UsageException)
        {
            // Nothing to choose from: the line itself will say why.
            return Completion.None;
        }
    }

    private Completion Local(string word)
    {
        var folder = word[..(word.LastIndexOf('/') + 1)];
        var path = session.Local(folder.Length == 0 ? "." : folder);
        if (!LocalPath.IsDirectory(path)) return Completion.None;
        try
        {
            // Names with characters of the line's own want quotes, which a completed word has not.
            return Completion.Of(word, DiskDirectories.Names(path)
                .Where(name => !name.Any(char.IsWhiteSpace) && !name.AsSpan().ContainsAny("'\"$#"))
                .Where(name => (folder + name).StartsWith(word, StringComparison.Ordinal))
                .Select(name => folder + name + (LocalPath.IsDirectory(Path.Join(path, name)) ? "/" : string.Empty)));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return Completion.None;
        }
    }

    private static string Encode(string name)
    {
        if (LocalPath.BytesOf(name) is not null) return PercentEncoding.Encode(name);
        var text = new StringBuilder(name.Length);
        foreach (var c in name)
            text.Append(char.IsWhiteSpace(c) || Special.Contains(c, StringComparison.Ordinal) ? PercentEncoding.Encode(c.ToString()) : c);
        return text.ToString();
    }
}
