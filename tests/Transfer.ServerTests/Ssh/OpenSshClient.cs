using System.Diagnostics;
using System.Globalization;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Ssh;

/// <summary>OpenSSH's own client, to compare with: what it makes of the same configuration at the same server.</summary>
internal static class OpenSshClient
{
    /// <summary>True when it logs in by a key that the server knows, and by nothing else.</summary>
    /// <param name="server">The server.</param>
    /// <param name="known">The file of known hosts.</param>
    /// <param name="config">The configuration, which counts before the settings here.</param>
    public static bool Connects(SshServer server, string known, string config)
    {
        string[] settings = ["BatchMode=yes", "StrictHostKeyChecking=yes", "UserKnownHostsFile=" + known, "GlobalKnownHostsFile=none",
            "IdentitiesOnly=yes", "IdentityFile=" + SshKeys.PlainUser("ed25519")];
        string[] arguments =
        [
            "-F", config, "-p", server.Port.ToString(CultureInfo.InvariantCulture), .. settings.SelectMany(each => (string[])["-o", each]),
            $"{SshKeys.User}@localhost", "exit 0",
        ];
        using var ssh =
            Process.Start(new ProcessStartInfo(ServerFiles.Ssh, arguments) { RedirectStandardError = true, RedirectStandardInput = true })!;
        ssh.StandardInput.Close();
        TestContext.Out.WriteLine(ssh.StandardError.ReadToEnd());
        ssh.WaitForExit();
        return ssh.ExitCode == 0;
    }
}
