namespace Transfer.Cli.Options;

/// <summary>The user's folder for states: the XDG base directories; what other systems have in their place .NET knows.</summary>
internal static class StateFolder
{
    /// <summary>A folder of the command in it; null: there is none.</summary>
    public static string? Find(CommandHost host, string name)
    {
        if (host.Environment("XDG_STATE_HOME") is { Length: > 0 } state) return Path.Combine(state, "transfer", name);
        if (host.HomeDirectory.Length == 0) return null;
        return OperatingSystem.IsWindows()
            ? Path.Combine(host.HomeDirectory, "AppData", "Local", "transfer", name)
            : Path.Combine(host.HomeDirectory, ".local", "state", "transfer", name);
    }

    /// <summary>Where it is remembered how many sessions servers allow; null: there is no folder, or the number is fixed.</summary>
    public static string? Limits(CommandHost host, ConnectionSettings settings) => settings.Sessions is null ? Find(host, "limits") : null;
}
