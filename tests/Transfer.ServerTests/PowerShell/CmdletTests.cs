using Transfer.PowerShell.Tests;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Ssh;
using PowerShellProcess = Transfer.PowerShell.Tests.Shell;

namespace Transfer.ServerTests.PowerShell;

/// <summary>The PowerShell module in a real pwsh against OpenSSH: Scripts/Sshd of Transfer.PowerShell.Tests.</summary>
[Parallelizable]
public sealed class CmdletTests() : SshFixture(ServerVariant.Sftp)
{
    [OneTimeSetUp]
    public Task Restore() => PowerShellProcess.RestoreAsync();

    [OneTimeTearDown]
    public void EndShells() => ScriptShell.EndAll();

    [TestCase("Sshd/Sshd.Tests.ps1")]
    [TestCase("Parameters.Tests.ps1")]
    public async Task Every_cmdlet_works_at_sshd_with_real_keys_and_known_hosts(string script)
    {
        var scripts = Path.Combine(ServerFiles.Repository, "tests", "Transfer.PowerShell.Tests", "Scripts");
        await using var proxy = new SocksProxy();
        await ScriptShell.RunAsync(scripts, script, new Dictionary<string, string>
        {
            ["TRANSFER_MODULE"] = PowerShellProcess.Module,
            ["TRANSFER_PESTER"] = PowerShellProcess.Pester,
            ["TRANSFER_SSHD"] = new UriBuilder(Server.Url(Remote + "/")) { UserName = SshKeys.User }.Uri.ToString(),
            ["TRANSFER_SSHD_FOLDER"] = Server.Local(Remote),
            ["TRANSFER_SSHD_PASSWORD"] = Server.Credential.Password!,
            ["TRANSFER_SSHD_KEY"] = SshKeys.PlainUser("ed25519"),
            ["TRANSFER_SSHD_STRANGER"] = SshKeys.Stranger,
            ["TRANSFER_SSHD_KNOWN_HOSTS"] = Ssh.KnownHosts,
            ["TRANSFER_SSHD_HOST_KEYS"] = string.Join(';', SshKeys.Hosts),
            ["TRANSFER_SSHD_KEYGEN"] = ServerFiles.SshKeygen,
            ["TRANSFER_PROXY"] = proxy.Uri.ToString(),
            ["TRANSFER_REPOSITORY"] = ServerFiles.Repository,
            ["TRANSFER_LOCAL"] = Scratch,
        });
    }
}
