namespace Transfer.Cli.Profiles;

/// <summary>A line of the configuration: <c>KEY = VALUE</c>.</summary>
/// <param name="Key">The name of an option without its dashes, or <c>url</c>, or <c>password</c>.</param>
/// <param name="Value">The value; never empty.</param>
/// <param name="Line">The number of the line, from 1.</param>
internal sealed record ConfigEntry(string Key, string Value, int Line)
{
    // The value may be a secret.
    public override string ToString() => Key;
}
