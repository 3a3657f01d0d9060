namespace Transfer.Cli.Options;

/// <summary>The user's folder for states.</summary>
internal static class StateFolder
{
    /// <summary>A folder of the command in it; null: there is none.</summary>
    public static string? Find(CommandHost host, string name) => JournalDirectory.StatePath(name, host.Environment, host.HomeDirectory);

    /// <summary>Where it is remembered how many sessions servers allow, and how servers differ; null: there is no folder.</summary>
    public static string? Limits(CommandHost host) => Find(host, "limits");
}
