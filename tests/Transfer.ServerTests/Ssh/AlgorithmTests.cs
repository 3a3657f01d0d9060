using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>Every algorithm of ours with sshd, one of each kind offered: what is used is what was asked for.</summary>
[TestFixture]
[Parallelizable]
public sealed class AlgorithmTests() : SshFixture(ServerVariant.Sftp)
{
    private const string CertificateSuffix = "-cert-v01@openssh.com";
    private const int Rounds = 28;

    // Key exchange is where versions of sshd differ: mlkem768x25519-sha256 came with 9.9.
    private static readonly SshAlgorithms Every = new()
    {
        KeyExchanges = [
            .. new SshAlgorithms().KeyExchanges.Intersect(
                Shell.Run(ServerFiles.Ssh, ["-Q", "kex"]).Split('\n', StringSplitOptions.TrimEntries))],
    };

    private static readonly string[] Users =
    [
        "password", "ed25519", "ecdsa-256", "ecdsa-384", "ecdsa-521", "rsa-2048",
        "certified ed25519", "certified ecdsa-256", "certified ecdsa-384", "certified ecdsa-521", "certified rsa-2048",
    ];

    /// <summary>
    /// The lists have different lengths, and ciphers and MACs stumble, so each algorithm meets several of every other kind.
    /// </summary>
    public static IEnumerable<Combination> Combinations => Enumerable.Range(0, Rounds).Select(i => new Combination(
        At(Every.KeyExchanges, i), At(Every.HostKeys, i), At(Every.Ciphers, i + (i / 4)), At(Every.Macs, i + (i / 5)), At(Users, i)));

    [Test]
    public void Every_algorithm_meets_two_of_every_other_kind()
    {
        string[] parts = ["kex", "host key", "cipher", "MAC", "user"];
        var rows = Combinations.Select(each => new[] { each.KeyExchange, each.HostKey, each.Cipher, each.Mac, each.User }).ToList();
        Assert.That(parts.Select((_, part) => rows.Select(row => row[part]).Distinct().Count()), Is.EqualTo(
            new[] { Every.KeyExchanges.Count, Every.HostKeys.Count, Every.Ciphers.Count, Every.Macs.Count, Users.Length }));

        var lonely = from part in Enumerable.Range(0, parts.Length)
                     from other in Enumerable.Range(0, parts.Length)
                     where part != other
                     from same in rows.GroupBy(row => row[part])
                     where same.Select(row => row[other]).Distinct().Count() < 2
                     select $"{same.Key} with {parts[other]}";

        Assert.That(lonely, Is.Empty);
        // A MAC counts only beside a cipher that has none of its own.
        Assert.That(
            rows.Where(row => row[2].EndsWith("-ctr", StringComparison.Ordinal)).GroupBy(row => row[3]).Select(
                group => group.Select(row => row[2]).Distinct().Count()), Is.All.GreaterThan(1));
    }

    [TestCaseSource(nameof(Combinations))]
    public async Task A_file_goes_up_and_comes_down(Combination use)
    {
        using var identity = await IdentityAsync(use.User);
        var logs = new LogLines();
        await using var client = Ssh.SftpClient(options => options with
        {
            Algorithms = new SshAlgorithms
            {
                KeyExchanges = [use.KeyExchange],
                HostKeys = [use.HostKey],
                Ciphers = [use.Cipher],
                Macs = [use.Mac]
            },
            HostKeys = options.HostKeys with { KnownHostsFiles = [KnownHosts(use.HostKey)] },
            Credential = identity is null ? options.Credential : new TransferCredential(SshKeys.User, string.Empty),
            Identities = identity is null ? [] : [identity],
            LoggerFactory = logs,
        });
        var content = Bytes.Random(300_001);

        using var source = new MemoryStream(content);
        await client.UploadAsync(source, Remote + "/file");
        using var target = new MemoryStream();
        await client.DownloadAsync(Remote + "/file", target);

        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), content);
        Bytes.AssertSame(target.ToArray(), content);
        Assert.That(logs.Of(LogLines.KeysExchanged), Is.All.Contain($": {use.KeyExchange}, {use.HostKey}, {use.Cipher}, "));
        Assert.That(Log, Does.Contain(Accepted(use.User)));
    }

    private static T At<T>(IReadOnlyList<T> list, int i) => list[i % list.Count];

    private static async Task<SshIdentity?> IdentityAsync(string user) => user.Split(' ') switch
    {
        ["password"] => null,
        [var kind] => await SshIdentity.FromFileAsync(SshKeys.PlainUser(kind)),
        var parts => await SshIdentity.FromFileAsync(SshKeys.CertifiedUser(parts[1])),
    };

    /// <summary>As sshd logs it.</summary>
    private static string Accepted(string user)
    {
        if (user == "password") return "Accepted password for " + SshKeys.User;
        var certificate = user.StartsWith("certified", StringComparison.Ordinal);
        var kind = user.Split(' ')[^1].Split('-')[0].ToUpperInvariant();
        return $"ssh2: {kind}{(certificate ? "-CERT" : string.Empty)} SHA256:";
    }

    /// <summary>A file that knows the server's key, or its authority: certificates are asked for only where that is known.</summary>
    private string KnownHosts(string hostKey)
    {
        if (!hostKey.EndsWith(CertificateSuffix, StringComparison.Ordinal)) return Ssh.KnownHosts;
        return TextFile("known_hosts", "@cert-authority " + Ssh.KnownHostLine(SshKeys.HostAuthority));
    }

    public sealed record Combination(string KeyExchange, string HostKey, string Cipher, string Mac, string User)
    {
        public override string ToString() => $"{KeyExchange} {HostKey} {Cipher} {Mac} {User}";
    }
}
