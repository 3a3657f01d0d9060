namespace Transfer.Sftp.Keys.Config;

/// <summary>Whether a block applies to a host.</summary>
internal enum ConfigMatch
{
    Yes,

    No,

    /// <summary>It depends on something that is not looked at here: a program's answer, this machine's networks.</summary>
    Unknown,
}
