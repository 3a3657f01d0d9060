using System.Globalization;
using System.Runtime.CompilerServices;
using Renci.SshNet;
using Renci.SshNet.Common;
using Transfer.ServerTests.Servers;
using Transfer.Testing;

namespace Transfer.ServerTests.Embedded;

/// <summary>Clients of others at the embedded SFTP server: OpenSSH's sftp and scp, curl, lftp, SSH.NET.</summary>
[TestFixture(true)]
[TestFixture(false)]
[Parallelizable]
internal sealed class SftpClientTests(bool memory)
{
    private const int Large = 1024 * 1024;

    private SftpTestKey _key = null!;
    private SftpTestServer _server = null!;
    private DirectoryInfo _local = null!;
    private DirectoryInfo _remote = null!;
    private string _identity = null!;
    private string _known = null!;

    private string Port => _server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);

    private string[] Ssh =>
        ["-F", "none", "-i", _identity, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes", "-o", "UserKnownHostsFile=" + _known, "-o",
        "GlobalKnownHostsFile=none", "-P", Port];

    [SetUp]
    public async Task SetUpAsync()
    {
        _local = Directory.CreateDirectory(Path.Join(TestHost.Folder, "embedded-" + Guid.NewGuid().ToString("N")));
        _remote = _local.CreateSubdirectory("remote");
        _key = SftpTestKey.Create();
        _server = await SftpTestServer.StartAsync(
            new() { AuthorizedKeys = [_key.PublicKey], Store = memory ? new MemoryStore() : new DirectoryStore(_remote.FullName) });
        _identity = Path.Join(_local.FullName, "identity");
        _known = Path.Join(_local.FullName, "known_hosts");
        await using (File.Open(_identity,
            new FileStreamOptions
            {
                Mode = FileMode.CreateNew,
                Access = FileAccess.Write,
                UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite
            }))
        {
        }

        await File.WriteAllTextAsync(_identity, _key.PrivateKey);
        await File.WriteAllTextAsync(_identity + ".pub", _key.PublicKey + "\n");
        await File.WriteAllTextAsync(_known, _server.KnownHosts);
        await File.WriteAllBytesAsync(In("large"), Content(Large));
        await File.WriteAllBytesAsync(In("small"), Content(100));
    }

    [TearDown]
    public async Task TearDownAsync()
    {
        await _server.DisposeAsync();
        _key.Dispose();
        _local.Delete(recursive: true);
    }

    [Test]
    public async Task OpenSSHs_sftp_does_everything()
    {
        var listing = await ForeignClient.RunAsync(ServerFiles.Sftp, [.. Ssh, "-b", "-", "demo@127.0.0.1"], $"""
            mkdir d
            put {In("large")} d/large
            put -p {In("small")} d/small
            rename d/small d/renamed
            ln -s large d/link
            ln d/large d/second
            chmod 640 d/renamed
            ls -l d
            get d/link {In("back")}
            df
            rm d/second
            rm d/link
            rm d/renamed
            rm d/large
            rmdir d
            """);
        Assert.That(listing, Does.Match(@"-rw-r----- .* 100 .* renamed"));
        Assert.That(listing, Does.Match(@"lrwxrwxrwx .* link"));
        Same.Bytes(await File.ReadAllBytesAsync(In("back")), Content(Large));
        await ShowsNothingAsync();
    }

    [Test]
    public async Task OpenSSHs_sftp_moves_folders()
    {
        var tree = _local.CreateSubdirectory("tree/inner");
        for (var i = 0; i < 120; i++) await File.WriteAllBytesAsync(Path.Join(tree.FullName, $"{i}"), Content(i));
        await ForeignClient.RunAsync(ServerFiles.Sftp, [.. Ssh, "-b", "-", "demo@127.0.0.1"],
            $"put -r {In("tree")} tree\nget -r tree {In("again")}\n");
        for (var i = 0; i < 120; i++) Same.Bytes(await File.ReadAllBytesAsync(In($"again/inner/{i}")), Content(i));
    }

    [Test]
    public async Task OpenSSHs_scp_moves_files_over_SFTP_and_its_old_protocol_is_refused()
    {
        await ForeignClient.RunAsync(ServerFiles.Scp, [.. Ssh, "-s", "-q", In("large"), "demo@127.0.0.1:large"]);
        await ForeignClient.RunAsync(ServerFiles.Scp, [.. Ssh, "-s", "-q", "demo@127.0.0.1:large", In("back")]);
        Same.Bytes(await File.ReadAllBytesAsync(In("back")), Content(Large));

        var (code, output) = await ForeignClient.TryAsync(ServerFiles.Scp, [.. Ssh, "-O", In("small"), "demo@127.0.0.1:small"]);
        Assert.That(code, Is.Not.Zero);
        Assert.That(output, Does.Contain("exec request failed"));
    }

    [Test]
    public async Task Each_cipher_and_key_exchange_of_OpenSSH_works()
    {
        string[] ciphers = ["chacha20-poly1305@openssh.com", "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr",
            "aes256-ctr"];
        string[] exchanges = ["curve25519-sha256", "ecdh-sha2-nistp256", "diffie-hellman-group14-sha256", "diffie-hellman-group16-sha512"];
        string[] macs = ["hmac-sha2-256", "hmac-sha2-256-etm@openssh.com"];
        string[] settings = [.. ciphers.Select(name => "Ciphers=" + name), .. exchanges.Select(name => "KexAlgorithms=" + name),
            .. macs.Select(name => "MACs=" + name)];
        foreach (var setting in settings)
        {
            // New keys in the middle of the file, of the client's own accord.
            string[] more = setting.StartsWith("MACs", StringComparison.Ordinal) ? ["-o", "Ciphers=aes128-ctr"] : [];
            await ForeignClient.RunAsync(
                ServerFiles.Sftp, [.. Ssh, "-o", setting, .. more, "-o", "RekeyLimit=300K", "-b", "-", "demo@127.0.0.1"],
                $"put {In("large")} large\nget large {In("back")}\n");
            Same.Bytes(await File.ReadAllBytesAsync(In("back")), Content(Large), setting);
        }
    }

    [Test]
    public async Task Curl_does_everything()
    {
        // By both: some builds of libssh2 take the key in OpenSSH's format, all take the password.
        string[] common = ["-sS", "--insecure", "-u", "demo:demo"];
        var url = $"sftp://127.0.0.1:{Port}";
        await ForeignClient.RunAsync("curl", [.. common, "-Q", "mkdir /d", "-T", In("large"), $"{url}/d/large"]);
        await ForeignClient.RunAsync("curl", [.. common, "-o", In("back"), $"{url}/d/large"]);
        Same.Bytes(await File.ReadAllBytesAsync(In("back")), Content(Large));
        Assert.That(await ForeignClient.RunAsync("curl", [.. common, $"{url}/d/"]), Does.Match(@"1048576 .* large"));
        await ForeignClient.RunAsync("curl",
            [.. common, "-Q", "-rename /d/large /large", "-Q", "-rmdir /d", "-Q", "-rm /large", "-o", "/dev/null", $"{url}/"]);
        await ShowsNothingAsync();
    }

    [Test]
    public async Task Lftp_does_everything()
    {
        var connect = "ssh -a -x -F none -o BatchMode=yes -o IdentitiesOnly=yes -o GlobalKnownHostsFile=none -o UserKnownHostsFile="
            + _known + " -i " + _identity;
        var output = await ForeignClient.RunAsync("lftp", ["--norc"], $"""
            set sftp:connect-program "{connect}"
            set cmd:fail-exit yes
            open sftp://demo:@127.0.0.1:{Port}
            mkdir d
            put {In("large")} -o d/large
            mv d/large d/renamed
            cls -l d
            get d/renamed -o {In("back")}
            rm d/renamed
            rmdir d
            """);
        Assert.That(output, Does.Match(@"1048576 .*renamed"));
        Same.Bytes(await File.ReadAllBytesAsync(In("back")), Content(Large));
        await ShowsNothingAsync();
    }

    [Test]
    public async Task SSH_NET_does_everything()
    {
        using var file = new PrivateKeyFile(_identity);
        using var keys = new PrivateKeyAuthenticationMethod("demo", file);
        using var client = Trusting(new SftpClient(new ConnectionInfo("127.0.0.1", _server.EndPoint.Port, "demo", keys)));
        await client.ConnectAsync(CancellationToken.None);
        client.CreateDirectory("/d");
        await using (var large = File.OpenRead(In("large"))) client.UploadFile(large, "/d/large");
        client.RenameFile("/d/large", "/d/renamed");
        client.SymbolicLink("/d/renamed", "/d/link");
        client.ChangePermissions("/d/renamed", 640);
        var names = client.ListDirectory("/d").Where(entry => entry.Name[0] != '.').Select(entry => $"{entry.Name} {entry.IsSymbolicLink}")
            .Order();
        Assert.That(names, Is.EqualTo(new[] { "link True", "renamed False" }));
        Assert.That(client.GetAttributes("/d/renamed").Size, Is.EqualTo(Large));
        using var back = new MemoryStream();
        client.DownloadFile("/d/link", back);
        Same.Bytes(back.ToArray(), Content(Large));
        await using (var part = client.Open("/d/renamed", FileMode.Open, FileAccess.ReadWrite))
        {
            part.Seek(100, SeekOrigin.Begin);
            part.Write([1, 2, 3]);
            part.SetLength(103);
        }

        Assert.That(client.ReadAllBytes("/d/renamed"), Is.EqualTo((byte[])[.. Content(100), 1, 2, 3]));

        // SSH.NET resolves links itself, and deletes what they lead to.
        await _server.Store.DeleteFileAsync("/d/link");
        client.DeleteFile("/d/renamed");
        client.DeleteDirectory("/d");
        await ShowsNothingAsync();
    }

    [Test]
    public async Task SSH_NET_logs_in_by_password_and_by_questions()
    {
        using var byPassword = Trusting(new SftpClient("127.0.0.1", _server.EndPoint.Port, "demo", "demo"));
        await byPassword.ConnectAsync(CancellationToken.None);

        using var questions = new KeyboardInteractiveAuthenticationMethod("demo");
        questions.AuthenticationPrompt += (_, asked) => asked.Prompts.ToList().ForEach(prompt => prompt.Response = "demo");
        using var byQuestions = Trusting(new SftpClient(new ConnectionInfo("127.0.0.1", _server.EndPoint.Port, "demo", questions)));
        await byQuestions.ConnectAsync(CancellationToken.None);

        using var wrong = Trusting(new SftpClient("127.0.0.1", _server.EndPoint.Port, "demo", "wrong"));
        Assert.That(() => wrong.ConnectAsync(CancellationToken.None), Throws.InstanceOf<SshAuthenticationException>());
    }

    private SftpClient Trusting(SftpClient client)
    {
        client.HostKeyReceived += (_, shown) => shown.CanTrust = "SHA256:" + shown.FingerPrintSHA256 == _server.Fingerprint;
        return client;
    }

    private static byte[] Content(int length)
    {
        var content = new byte[length];
        SyntheticContent.Fill(content, 0, 1);
        return content;
    }

    private string In(string name) => Path.Join(_local.FullName, name);

    private async Task ShowsNothingAsync([CallerMemberName] string test = "")
    {
        await foreach (var entry in _server.Store.ListAsync("/")) Assert.Fail($"{test} left {entry.Name}.");
    }
}
