namespace Transfer.Sftp.Keys.Config;

/// <summary>A keyword of ssh_config(5), as the manual writes it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Use">What comes of it.</param>
/// <param name="Restricts">It makes something stricter: a value that is not understood, or a block for which nobody can say whether it applies, is an error and never skipped.</param>
/// <param name="IsOf">The name that counts, where this is an older one.</param>
internal sealed record ConfigKeyword(string Name, ConfigUse Use, bool Restricts = false, string? IsOf = null)
{
    /// <summary>The keyword in small letters by which lines are found.</summary>
    public string Key => (IsOf ?? Name).ToLowerInvariant();
}
