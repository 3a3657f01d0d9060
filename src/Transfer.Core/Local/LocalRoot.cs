namespace Transfer.Local;

/// <summary>The folder behind a <c>file:</c> endpoint: maps paths of the API to native ones, none of them outside the folder.</summary>
internal sealed class LocalRoot
{
    private static readonly LocalNames WindowsNames = new(windows: true, ignoresCase: true, normalizes: false);

    private readonly string _host;
    private readonly bool _followLinks;
    private readonly string? _root; // null: the whole system
    private readonly string? _realRoot;

    /// <param name="host">The server of a UNC path (RFC 8089 appendix E.3), or empty.</param>
    /// <param name="path">The endpoint's path.</param>
    /// <param name="followLinks">Whether links are followed, wherever they lead.</param>
    public LocalRoot(string host, string path, bool followLinks)
    {
        _host = host;
        _followLinks = followLinks;
        if (path.Trim('/').Length == 0) return;
        _root = ToNative(path);
        if (!followLinks) _realRoot = LocalLinks.RealPath(_root);
    }

    /// <summary>The native path.</summary>
    /// <param name="path">A path of the API, absolute.</param>
    /// <param name="follow">Whether a link at the path will be followed; false: the link itself is meant.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: the path leads out of the root.</exception>
    public string Resolve(string path, bool follow)
    {
        var native = ToNative(path);
        if (_root is null) return native;
        if (!LocalLinks.IsInside(native, _root)) throw Outside(path);
        if (_followLinks) return native;
        try
        {
            var real = follow || native == _root ? LocalLinks.RealPath(native) : LocalLinks.RealPath(Path.GetDirectoryName(native)!);
            return LocalLinks.IsInside(real, _realRoot!) ? native : throw Outside(path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot follow", path);
        }
    }

    /// <summary>The native path of an entry below a folder, relative to the folder; null: not below.</summary>
    /// <param name="folder">A path of the API, absolute.</param>
    /// <param name="path">Another.</param>
    /// <exception cref="TransferException">There can be no such path.</exception>
    public string? BelowOf(string folder, string path)
    {
        var (above, native) = (Path.TrimEndingDirectorySeparator(ToNative(folder)), ToNative(path));
        if (!Path.EndsInDirectorySeparator(above)) above += Path.DirectorySeparatorChar;
        return native.Length > above.Length && native.StartsWith(above, StringComparison.Ordinal) ? native[above.Length..] : null;
    }

    /// <summary>Refuses a link that would lead out of the root.</summary>
    /// <param name="native">The link, as <see cref="Resolve"/> gives it.</param>
    /// <param name="target">The text of the link.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: neither this client nor the links that it makes reach
    /// anything outside the root.</exception>
    public void CheckLink(string native, string target)
    {
        if (_realRoot is not null) LocalLinks.CheckTarget(_root!, _realRoot, native, target);
    }

    /// <summary>The path of the API for a native one.</summary>
    public static string ToPath(string native)
    {
        if (!OperatingSystem.IsWindows()) return native;
        var path = native.Replace(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar);
        return path.StartsWith("//", StringComparison.Ordinal) ? "/"
            + string.Join('/', path.Split('/', StringSplitOptions.RemoveEmptyEntries)[1..]) : "/" + path;
    }

    private string ToNative(string path)
    {
        var components = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (components.Contains(".."))
            throw new TransferException(TransferError.Denied, $"{path}: .. is not followed.") { RemotePath = path };
        if (path == RemotePath.Home || path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal))
            return Path.Join([Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), .. components[1..]]);
        if (!OperatingSystem.IsWindows()) return "/" + string.Join('/', components);

        // A drive letter or a share comes first; after that, every component has to be a plain name.
        var isDrive = _host.Length == 0 && components.Length > 0 && components[0].Length == 2 && components[0][1] == ':';
        foreach (var component in components.Skip(isDrive ? 1 : 0))
        {
            if (WindowsNames.Refuse(component) is { } reason)
                throw new TransferException(TransferError.Unsupported, $"{path}: {reason}.") { RemotePath = path };
        }
        if (_host.Length > 0) return $@"\\{_host}\{string.Join('\\', components)}";
        if (!isDrive)
        {
            throw new TransferException(TransferError.Unsupported,
                $"{path}: a path begins with a drive here, as in /C:/folder.")
            { RemotePath = path };
        }

        return components.Length == 1 ? components[0] + "\\" : string.Join('\\', components);
    }

    private static TransferException Outside(string path) =>
        new(TransferError.Denied, $"{path} is outside the root of this client.") { RemotePath = path };
}
