using System.Collections.Concurrent;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Finds the log-in folders of users in paths such as <c>/~alice/in</c> (expand-path@openssh.com), each once a session. Where the server
/// can't, or knows no such user, the path is literal, as <c>/./~alice</c> always is.
/// </summary>
internal sealed class UserFolders
{
    // A session lives for hours, and callers supply the names.
    private const int MostKept = 1000;

    private readonly SftpSessionContext _context;
    private readonly ConcurrentDictionary<string, string> _folders = new(StringComparer.Ordinal);

    public UserFolders(SftpSessionContext context) => _context = context;

    /// <summary>True for <c>/~name</c> and paths below.</summary>
    public static bool IsNamed(string path) => path.Length > 2 && path[0] == '/' && path[1] == '~' && path[2] != '/';

    /// <summary>Requests the unknown folders that these paths name, together. Await before expanding the paths.</summary>
    public ValueTask ResolveUsersAsync(IEnumerable<string> paths, CancellationToken ct)
    {
        if (!_context.Offers(SftpExtension.ExpandPath)) return default;
        HashSet<string>? unknown = null;
        foreach (var path in paths)
        {
            if (IsNamed(path) && UserOf(path) is var user && !_folders.ContainsKey(user))
                (unknown ??= new(StringComparer.Ordinal)).Add(user);
        }
        return unknown is null ? default : AskAsync([.. unknown], ct);
    }

    /// <inheritdoc cref="ResolveUsersAsync(IEnumerable{string}, CancellationToken)"/>
    public ValueTask ResolveUsersAsync(string path, CancellationToken ct) => IsNamed(path) ? ResolveUsersAsync([path], ct) : default;

    public string Expand(string path)
    {
        var user = UserOf(path);
        return _folders.TryGetValue(user, out var folder) && folder.Length > 0
            ? string.Concat(folder.TrimEnd('/'), path.AsSpan(user.Length + 1)) : path;
    }

    // Returns the user's name with the tilde, without the leading slash.
    private static string UserOf(string path)
    {
        var end = path.IndexOf('/', 1);
        return end < 0 ? path[1..] : path[1..end];
    }

    private async ValueTask AskAsync(string[] users, CancellationToken ct)
    {
        if (_folders.Count + users.Length > MostKept) _folders.Clear();
        var asked = Array.ConvertAll(users, user => _context.Operations.ExpandPathAsync(user, ct));
        for (var i = 0; i < users.Length; i++)
        {
            var reply = await asked[i].ConfigureAwait(false);
            var folder = reply.IsOk ? _context.ReadName(reply) : null;
            _folders[users[i]] = folder is ['/', ..] ? folder : string.Empty;
        }
    }
}
