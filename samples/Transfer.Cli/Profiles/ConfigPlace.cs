namespace Transfer.Cli.Profiles;

/// <summary>The place of the configuration: where the system keeps those of programs, unless TRANSFER_CONFIG names a file.</summary>
internal static class ConfigPlace
{
    /// <summary>The variable that names another file; <c>none</c>: there is no configuration.</summary>
    public const string Variable = "TRANSFER_CONFIG";

    private const string None = "none";
    private const string FileName = "config.ini";

    /// <summary>The path of the file, which need not exist; null: there is no place.</summary>
    /// <param name="host">The environment and the user's folder.</param>
    /// <param name="isNamed">The user has named the file, so that it must exist.</param>
    public static string? Find(CommandHost host, out bool isNamed)
    {
        var named = host.Environment(Variable);
        isNamed = !string.IsNullOrEmpty(named) && named != None;
        if (isNamed) return LocalPath.Full(named!);
        return named == None || Folder(host) is not { } folder ? null : Path.Combine(folder, "transfer", FileName);
    }

    // XDG Base Directory Specification 0.8 where the user has set that, whatever the system.
    private static string? Folder(CommandHost host)
    {
        if (host.Environment("XDG_CONFIG_HOME") is { Length: > 0 } xdg && Path.IsPathRooted(xdg)) return xdg;
        if (OperatingSystem.IsWindows() && host.Environment("APPDATA") is { Length: > 0 } roaming) return roaming;
        if (host.HomeDirectory.Length == 0) return null;
        return OperatingSystem.IsMacOS() ? Path.Combine(host.HomeDirectory, "Library", "Application Support")
            : OperatingSystem.IsWindows() ? Path.Combine(host.HomeDirectory, "AppData", "Roaming")
            : Path.Combine(host.HomeDirectory, ".config");
    }
}
