using Transfer.ServerTests.Servers;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>sshd shows a certificate of ours that names no host.</summary>
[TestFixture]
[Parallelizable]
public sealed class HostCertificateTests()
    : SshFixture(ServerVariant.Sftp with
    {
        Name = "Unnamed",
        SshSettings = $"HostKey {SshKeys.Unnamed}\nHostCertificate {SshKeys.Unnamed}-cert.pub"
    })
{
    [Test]
    public async Task A_certificate_that_names_no_host_is_for_none()
    {
        var known = TextFile("known_hosts", "@cert-authority " + Ssh.KnownHostLine(SshKeys.HostAuthority));
        await using var client = Ssh.SftpClient(options => options with { HostKeys = new SshHostKeyOptions { KnownHostsFiles = [known] } });

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That((error.Error, error.Message), Is.EqualTo((TransferError.HostKey, error.Message)));
        Assert.That(error.Message, Does.Contain("names no host"));
    }

    [Test]
    public async Task Its_key_may_be_known_all_the_same()
    {
        var known = TextFile("known_hosts",
            $"@cert-authority {Ssh.KnownHostLine(SshKeys.HostAuthority)}\n{Ssh.KnownHostLine(SshKeys.Unnamed)}");
        await using var client = Ssh.SftpClient(options => options with { HostKeys = new SshHostKeyOptions { KnownHostsFiles = [known] } });

        await client.ConnectAsync();
    }
}
