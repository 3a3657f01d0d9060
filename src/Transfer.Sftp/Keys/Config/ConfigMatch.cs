namespace Transfer.Sftp.Keys.Config;

/// <summary>Whether a block applies to a host.</summary>
internal enum ConfigMatch
{
    Yes,

    No,

    /// <summary>The answer would need a program or this machine's networks, which are not consulted.</summary>
    Unknown,
}
