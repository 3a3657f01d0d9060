using Transfer.Cli.Connections;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Scripts;

/// <summary>The commands of a script about the folders that its paths are relative to: cd, lcd, pwd and lpwd.</summary>
internal sealed class ScriptFolders(CommandHost host, Session session)
{
    /// <summary>Changes to a folder at the server.</summary>
    public async Task<int> ChangeAsync(string path, CancellationToken ct)
    {
        UsageException.ThrowIfEmpty(path);
        if (Scheme.IsUrl(path)) throw new UsageException("cd wants a path at the script's server, and no URL.");
        var text = session.Remote(path);
        var url = UrlParser.Parse(text);
        if (url.Pattern is not null) throw new UsageException("cd wants one folder, and no pattern.");
        var folder = Normalize(url.RawPath);
        var there = UrlParser.Parse(text[..^url.RawPath.Length] + folder);
        await using var connector = new Connector(session.Clients, session.Profiles);
        var client = await connector.OpenAsync(there, session.Clients.Login, ambient: true, ct);
        try
        {
            var isRoot = folder is "/" || there.Path == RemotePath.Home + "/";
            var entry = isRoot ? null : await client.GetEntryAsync(there.Path.TrimEnd('/'), ct);
            if (!isRoot && entry is null or { Type: RemoteEntryType.File })
            {
                session.Messages.Error($"{there.Redacted}: {(entry is null ? "there is no such folder." : "not a folder.")}");
                return ExitCode.NotFound;
            }
        }
        catch (TransferException e)
        {
            session.Messages.Error($"{there.Redacted}: {e.Message}");
            return ExitCode.For(e);
        }

        session.Folder = folder;
        return ExitCode.Done;
    }

    /// <summary>Changes to a folder here; <c>~</c> is the user's own.</summary>
    public int ChangeLocal(string path)
    {
        UsageException.ThrowIfEmpty(path);
        var isBelowHome = host.HomeDirectory.Length > 0 && Session.IsBelowHome(path);
        var folder = LocalPath.Full(isBelowHome ? host.HomeDirectory + path[1..] : session.Local(path));
        if (!LocalPath.IsDirectory(folder))
        {
            session.Messages.Error($"{path}: there is no such folder here.");
            return ExitCode.NotFound;
        }

        session.LocalFolder = folder;
        return ExitCode.Done;
    }

    /// <summary>Prints the folder at the server.</summary>
    public async Task<int> PrintAsync(CancellationToken ct)
    {
        await host.WriteLineAsync(UrlParser.Parse(session.Remote(".")).Redacted, ct);
        return ExitCode.Done;
    }

    /// <summary>Prints the folder here.</summary>
    public async Task<int> PrintLocalAsync(CancellationToken ct)
    {
        await host.WriteLineAsync(session.LocalFolder ?? LocalPath.Full("."), ct);
        return ExitCode.Done;
    }

    // Parts that are . or .. are resolved here, so that the folder keeps a name that can be shown.
    private static string Normalize(string rawPath)
    {
        var parts = new List<string>();
        foreach (var part in rawPath.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            if (part == ".." && parts.Count > 0 && parts is not ["~"]) parts.RemoveAt(parts.Count - 1);
            else if (part is not ("." or "..")) parts.Add(part);
        }

        return parts.Count == 0 ? "/" : $"/{string.Join('/', parts)}/";
    }
}
