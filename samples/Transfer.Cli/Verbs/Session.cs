using Transfer.Cli.Connections;
using Transfer.Cli.Output;
using Transfer.Cli.Profiles;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Verbs;

/// <summary>The clients and folders that the lines of a script share, and the paths in them.</summary>
/// <param name="clients">The clients.</param>
/// <param name="messages">Receives what all lines have to say.</param>
/// <param name="server">The text of the URL that paths are relative to; null: each line has URLs.</param>
internal sealed class Session(SharedClients clients, Messages messages, string? server)
{
    // Scheme, log-in, host and port as they were given: what follows is the path.
    private readonly string? _server = server is null ? null : server[..^RawPath(server).Length];

    public SharedClients Clients => clients;

    public Messages Messages => messages;

    /// <summary>The folder at the server that paths are relative to, as in a URL; ends in a slash. Empty without a server.</summary>
    public string Folder { get; set; } = server is null ? string.Empty : RawPath(server).TrimEnd('/') + "/";

    /// <summary>The profile of the server; null: none.</summary>
    public ServerProfile? Profile { get; init; }

    /// <summary>The profiles of all lines.</summary>
    public required RunProfiles Profiles { get; init; }

    /// <summary>The configuration.</summary>
    public required Configuration Configuration { get; init; }

    /// <summary>Standard input has the script, so that no line can send it.</summary>
    public bool InputIsTaken { get; init; }

    /// <summary>The folder here that paths are relative to; null: the process's own.</summary>
    public string? LocalFolder { get; set; }

    /// <summary>The arguments of a verb as they stand for themselves: URLs, and paths here.</summary>
    /// <exception cref="UsageException">The verb has nothing to do in a script, or a path has no server.</exception>
    public IReadOnlyList<string> Resolve(Verb verb, IReadOnlyList<string> arguments)
    {
        if (!verb.IsForScripts) throw new UsageException($"{verb.Name} is a command of its own, and not for scripts.");
        arguments = [.. arguments, .. verb.UsualArguments(arguments.Count)];
        if (InputIsTaken && arguments.Where((argument, i) => argument == "-" && i < arguments.Count - 1).Any())
            throw new UsageException("Standard input has the script: a line cannot send it.");
        // Joined with a folder it would name the folder: a variable without a value would have that deleted or moved.
        foreach (var argument in arguments) UsageException.ThrowIfEmpty(argument is ":" ? "" : argument);
        return [.. arguments.Select((argument, index) => verb.SideOf(index, arguments.Count) switch
        {
            ArgumentSide.Remote => Remote(argument.StartsWith(':') ? argument[1..] : argument),
            ArgumentSide.Local => Local(argument),
            ArgumentSide.Either => argument.StartsWith(':') ? Remote(argument[1..]) : Local(argument),
            _ => argument,
        })];
    }

    /// <summary>The URL of a path at the server; a URL stays as it is.</summary>
    /// <exception cref="UsageException">There is no server.</exception>
    public string Remote(string path)
    {
        if (Scheme.IsUrl(path) || path == "-") return path;
        if (_server is null) throw new UsageException($"'{UrlRedaction.Redact(path)}' is a path, and there is no --server for it.");
        while (path.StartsWith("./", StringComparison.Ordinal)) path = path[2..];
        return _server + (path is "" or "." ? Folder
            : path.StartsWith('/') ? path
            : IsBelowHome(path) ? $"{RemotePath.Home}{path[1..]}"
            : Folder + path);
    }

    /// <summary>Whether a path begins at a home folder: that of the log-in, or the user's here.</summary>
    public static bool IsBelowHome(string path) => path is "~" || path.StartsWith("~/", StringComparison.Ordinal);

    /// <summary>The path of a file or folder here; a URL stays as it is.</summary>
    public string Local(string path) =>
        LocalFolder is null || path is "" or "-" || Scheme.IsUrl(path) ? path : Path.Combine(LocalFolder, path);

    private static string RawPath(string url) => UrlParser.Parse(url).RawPath is var raw && url.EndsWith(raw, StringComparison.Ordinal)
        ? raw : string.Empty;
}
