namespace Transfer.Sftp.Keys.Config;

/// <summary>One setting and the Host and Match lines above: the own block's, and those of the Includes that led to the file.</summary>
internal sealed record SshConfigSetting(IReadOnlyList<SshConfigLine> Conditions, SshConfigLine Line);
