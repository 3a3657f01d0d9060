namespace Transfer.Sftp.Keys.Config;

/// <summary>What comes of a keyword of ssh_config(5). docs/ssh-config.md has the table for users, and a test compares the two.</summary>
internal enum ConfigUse
{
    /// <summary>It is done.</summary>
    Obeyed,

    /// <summary>A host for which it says something is not connected to: to ignore it would go around it.</summary>
    Refused,

    /// <summary>It is about something that is not done here, or decided by options of our own; nothing becomes less strict without it.</summary>
    WithoutEffect,
}
