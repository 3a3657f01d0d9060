namespace Transfer.Sftp.Keys.Config;

/// <summary>The effect of a keyword of ssh_config(5). docs/ssh-config.md has the table for users, and a test compares the two.</summary>
internal enum ConfigUse
{
    /// <summary>The keyword takes effect.</summary>
    Obeyed,

    /// <summary>A host with the keyword is refused: ignoring it would bypass the setting.</summary>
    Refused,

    /// <summary>
    /// The keyword concerns a feature that does not exist here or has an option of its own; nothing becomes less strict without it.
    /// </summary>
    WithoutEffect,
}
