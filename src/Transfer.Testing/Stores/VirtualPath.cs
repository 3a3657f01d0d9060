namespace Transfer.Testing.Stores;

/// <summary>Paths of a store: absolute, joined by <c>/</c>, without <c>.</c>, <c>..</c> or a trailing slash.</summary>
internal static class VirtualPath
{
    /// <summary>Makes a path absolute against a folder. <c>..</c> in the root is the root: no path leads out.</summary>
    public static string Resolve(string folder, string path)
    {
        var parts = new List<string>();
        if (!path.StartsWith('/')) parts.AddRange(Split(folder));
        foreach (var part in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            if (part == ".") continue;
            if (part != "..") parts.Add(part);
            else if (parts.Count > 0) parts.RemoveAt(parts.Count - 1);
        }

        return "/" + string.Join('/', parts);
    }

    public static string[] Split(string path) => path.Split('/', StringSplitOptions.RemoveEmptyEntries);

    public static string Name(string path) => path[(path.LastIndexOf('/') + 1)..];

    public static string Parent(string path) => path.LastIndexOf('/') is var slash and > 0 ? path[..slash] : "/";

    public static string Combine(string folder, string name) => folder.EndsWith('/') ? folder + name : $"{folder}/{name}";
}
