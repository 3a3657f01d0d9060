using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>An FTP server that is a library, started by a script of ours.</summary>
internal sealed class ScriptFtpServer(string script, ServerVariant variant) : FtpServer(variant)
{
    protected override void Configure()
    {
    }

    private protected override ServerProcess Launch() => Launcher.Start(script, LogFile,
        LauncherSettings.Of(this) with { Certificate = Variant.Tls == ServerTls.Off ? null : Certificate.Both });
}
