using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>An SFTP server that is a library, started by a script of ours.</summary>
/// <param name="script">The script.</param>
/// <param name="isChroot">Whether it shows its users the served folder as their root; else the whole file system is before them.</param>
internal sealed class ScriptSshServer(string script, bool isChroot) : SshServer(ServerVariant.Sftp)
{
    private static string Key => SshKeys.Host("ed25519");

    public override string Home => isChroot ? string.Empty : Root;

    protected override void Configure() => Know([Key]);

    private protected override ServerProcess Launch() => Launcher.Start(script, LogFile, LauncherSettings.Of(this) with { Key = Key });
}
