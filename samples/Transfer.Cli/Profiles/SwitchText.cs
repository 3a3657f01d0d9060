namespace Transfer.Cli.Profiles;

/// <summary>The values of switches in the configuration and in variables.</summary>
internal static class SwitchText
{
    /// <summary>Reads a value; null: it is none.</summary>
    public static bool? Parse(string text) => text.ToLowerInvariant() switch
    {
        "1" or "true" => true,
        "0" or "false" => false,
        _ => null,
    };
}
