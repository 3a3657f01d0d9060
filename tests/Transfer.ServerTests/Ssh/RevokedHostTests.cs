using Transfer.ServerTests.Servers;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>RevokedHostKeys: lists that ssh-keygen made, and what OpenSSH's client makes of them at the same server.</summary>
[TestFixture]
[Parallelizable]
public sealed class RevokedHostTests()
    : SshFixture(ServerVariant.Sftp with
    {
        Name = "Numbered",
        SshSettings = $"HostKey {SshKeys.Numbered}\nHostCertificate {SshKeys.Numbered}-cert.pub"
    })
{
    [TestCase("key: {0}", false, true)]
    [TestCase("sha256: {0}", false, true)]
    [TestCase("sha1: {0}", false, true)]
    [TestCase("key: {1}", false, false)]
    [TestCase("sha256: {1}", false, false)]
    [TestCase("serial: 77", true, true)]
    [TestCase("serial: 70-80", true, true)]
    [TestCase("serial: 75\nserial: 77\nserial: 79\nserial: 81\nserial: 90", true, true)]
    [TestCase("serial: 76\nserial: 78\nserial: 1-70", true, false)]
    [TestCase("id: numbered", true, true)]
    [TestCase("id: other", true, false)]
    [TestCase("key: {2}", true, true)]
    public async Task A_revocation_list_counts_as_for_OpenSSH(string specification, bool certified, bool revoked)
    {
        string[] keys = [SshKeys.Numbered, SshKeys.Stranger, SshKeys.HostAuthority];
        var text = string.Format(System.Globalization.CultureInfo.InvariantCulture, specification,
            [.. keys.Select(key => File.ReadAllText(key + ".pub").Trim())]);
        var (specified, list) = (TextFile("specification", text), Path.Combine(Scratch, "list"));
        Shell.Run(ServerFiles.SshKeygen,
            ["-q", "-k", "-f", list, .. certified ? (string[])["-s", SshKeys.HostAuthority + ".pub"] : [], specified]);

        await AssertAsync(list, certified, revoked);
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_list_of_public_keys_does(bool certified) =>
        await AssertAsync(TextFile("list", File.ReadAllText(SshKeys.Numbered + ".pub").Trim()), certified, revoked: true);

    [Test]
    public async Task A_list_that_is_not_there_refuses_the_host() =>
        await AssertAsync(Path.Combine(Scratch, "absent"), certified: false, revoked: true);

    private async Task AssertAsync(string list, bool certified, bool revoked)
    {
        var known = TextFile("known_hosts",
            certified ? "@cert-authority " + Ssh.KnownHostLine(SshKeys.HostAuthority) : Ssh.KnownHostLine(SshKeys.Numbered));
        var config = TextFile("config", $"RevokedHostKeys {list}");
        await using var client = Ssh.SftpClient(options => options with
        {
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [known] },
            Config = new SshConfigOptions { Files = [config], HomeDirectory = Scratch },
        });

        TransferException? error = null;
        try
        {
            await client.ConnectAsync();
        }
        catch (TransferException e)
        {
            error = e;
        }

        Assert.That(error?.Error, revoked ? Is.EqualTo(TransferError.HostKey) : Is.Null, error?.ToString());
        Assert.That(OpenSshClient.Connects(Ssh, known, config), Is.EqualTo(!revoked), "what OpenSSH does");
    }
}
