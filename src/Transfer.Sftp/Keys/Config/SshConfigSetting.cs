namespace Transfer.Sftp.Keys.Config;

/// <summary>One setting and the Host and Match lines under which it stands: its own block's, and that of every Include on the way to it.</summary>
internal sealed record SshConfigSetting(IReadOnlyList<SshConfigLine> Conditions, SshConfigLine Line);
