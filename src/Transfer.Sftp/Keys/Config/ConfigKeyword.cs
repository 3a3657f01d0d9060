namespace Transfer.Sftp.Keys.Config;

/// <summary>A keyword of ssh_config(5), in the manual's spelling.</summary>
/// <param name="Name">The keyword's name.</param>
/// <param name="Use">The effect here.</param>
/// <param name="Restricts">
/// Whether the keyword makes something stricter: a block that may or may not apply is then an error and never skipped.
/// </param>
/// <param name="PresentName">The present name, where this is an older one.</param>
internal sealed record ConfigKeyword(string Name, ConfigUse Use, bool Restricts = false, string? PresentName = null)
{
    /// <summary>The keyword in small letters by which lines are found.</summary>
    public string Key => (PresentName ?? Name).ToLowerInvariant();
}
