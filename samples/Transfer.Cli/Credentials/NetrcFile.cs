using System.Text;
using Transfer.Cli.Output;

namespace Transfer.Cli.Credentials;

/// <summary>Finds and reads the user's .netrc: the file that NETRC names, else <c>~/.netrc</c> (on Windows also <c>~/_netrc</c>).</summary>
internal static class NetrcFile
{
    private const long MaxLength = 1 << 20;

    private const UnixFileMode Others =
        UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;

    /// <summary>The entry for a host, or null. What is wrong with the file is said, and the file then left alone.</summary>
    public static NetrcEntry? Find(CommandHost host, Messages messages, string machine, string? user)
    {
        var path = Locate(host, messages);
        if (path is null) return null;
        try
        {
            var file = new FileInfo(path);
            if (!OperatingSystem.IsWindows() && (file.ResolveLinkTarget(returnFinalTarget: true) ?? file) is { } target
                && (target.UnixFileMode & Others) != 0)
            {
                messages.Warning($"{path} is ignored: others may read or write it (chmod 600 makes it yours alone).");
                return null;
            }

            if (file.Length > MaxLength)
            {
                messages.Warning($"{path} is ignored: it is larger than 1 MiB.");
                return null;
            }

            return Netrc.Find(Netrc.Parse(File.ReadAllText(path, Encoding.UTF8)), machine, user);
        }
        catch (FormatException e)
        {
            messages.Warning($"{path} is ignored: {e.Message}.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            messages.Warning($"{path} is ignored: it cannot be read ({e.GetType().Name}).");
        }

        return null;
    }

    private static string? Locate(CommandHost host, Messages messages)
    {
        var named = host.Environment("NETRC");
        if (!string.IsNullOrEmpty(named))
        {
            if (File.Exists(named)) return named;
            messages.Warning($"NETRC names {named}, which is not there.");
            return null;
        }

        if (host.HomeDirectory.Length == 0) return null;
        var path = Path.Combine(host.HomeDirectory, ".netrc");
        if (File.Exists(path)) return path;
        path = Path.Combine(host.HomeDirectory, "_netrc");
        return OperatingSystem.IsWindows() && File.Exists(path) ? path : null;
    }
}
