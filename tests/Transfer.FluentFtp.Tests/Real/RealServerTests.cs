using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using FluentFTP;
using Transfer.FluentFtp;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Fluent;

/// <summary>The adapter over FluentFTP against servers that people run.</summary>
[TestFixtureSource(nameof(Servers))]
public sealed class RealServerTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private static IEnumerable<TestFixtureData> Servers()
    {
        foreach (var kind in (ServerKind[])[ServerKind.Vsftpd, ServerKind.Proftpd])
        {
            yield return new TestFixtureData(kind, ServerVariant.Plain);
            yield return new TestFixtureData(kind, ServerVariant.ExplicitReuse);
            yield return new TestFixtureData(kind, ServerVariant.ImplicitReuse);
        }
        yield return new TestFixtureData(ServerKind.PureFtpd, ServerVariant.Plain);
        yield return new TestFixtureData(ServerKind.PureFtpd, ServerVariant.Explicit);
    }

    [Test]
    public async Task A_file_goes_up_is_replaced_and_comes_down()
    {
        await using var client = Fluent();
        await client.UploadFileAsync(LocalFile("a.bin", Bytes.Random(200_000)), "a.bin");
        File.SetUnixFileMode(Server.Local($"{Remote}/a.bin"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var result = await client.UploadFileAsync(LocalFile("b.bin", Bytes.Random(3_000_000, seed: 2)), "a.bin",
            new UploadOptions { Overwrite = OverwriteMode.Always });
        await client.DownloadFileAsync("a.bin", Path.Combine(Scratch, "c.bin"));

        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(Scratch, "c.bin")), Bytes.Random(3_000_000, seed: 2));
        Assert.That(result.Verified, Is.EqualTo(VerificationMode.Size));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "a.bin" }));
        Assert.That(File.GetLastWriteTimeUtc(Server.Local($"{Remote}/a.bin")), Is.EqualTo(new DateTime(2024, 2, 29, 23, 59, 58)));
        Assert.That(File.GetUnixFileMode(Server.Local($"{Remote}/a.bin")), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
    }

    [Test]
    public async Task A_folder_over_several_sessions_and_synchronised_twice()
    {
        var tree = Directory.CreateDirectory(Path.Combine(Scratch, "tree")).FullName;
        for (var i = 0; i < 60; i++)
        {
            var folder = Directory.CreateDirectory(Path.Combine(tree, string.Create(CultureInfo.InvariantCulture, $"{i % 4}"))).FullName;
            File.WriteAllBytes(Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"{i}.bin")), Bytes.Random(3_000 + i, i));
        }
        await using var client = Fluent(sessions: 4);
        // vsftpd's LIST has no time of day for files older than half a year.
        var options = new SyncOptions { Delete = true, Compare = SyncComparison.Size };
        var first = await client.SynchronizeAsync(tree, "tree", SyncDirection.Up, options);
        File.Delete(Path.Combine(tree, "1", "1.bin"));
        var second = await client.SynchronizeAsync(tree, "tree", SyncDirection.Up, options);
        var back = await client.DownloadDirectoryAsync("tree", Path.Combine(Scratch, "back"));

        Assert.That((first.Files, first.Failed), Is.EqualTo((60L, 0L)));
        Assert.That((second.Files, second.Unchanged, second.Deleted, second.Failed), Is.EqualTo((0L, 59L, 1L, 0L)));
        Assert.That((back.Files, back.Failed), Is.EqualTo((59L, 0L)));
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(Scratch, "back", "3", "59.bin")), Bytes.Random(3_059, 59));
    }

    [Test]
    public async Task Odd_names_survive_both_ways_and_deletion()
    {
        var names = OddNames.Folders;
        var tree = Directory.CreateDirectory(Path.Combine(Scratch, "tree")).FullName;
        foreach (var name in names)
        {
            var folder = Directory.CreateDirectory(Path.Combine(tree, name)).FullName;
            File.WriteAllText(Path.Combine(folder, name), name);
        }
        await using var client = Fluent();
        var up = await client.UploadDirectoryAsync(tree, "tree");
        Assert.That((up.Files, up.Failed), Is.EqualTo((names.LongLength, 0L)), string.Join('\n', up.Failures.Select(failure =>
            failure.Error?.Message)));
        foreach (var name in names) Assert.That(File.Exists(Path.Combine(Server.Local($"{Remote}/tree"), name, name)), name);

        var down = await client.DownloadDirectoryAsync("tree", Path.Combine(Scratch, "back"));
        Assert.That((down.Files, down.Failed), Is.EqualTo((names.LongLength, 0L)), string.Join('\n', down.Failures.Select(failure =>
            failure.Error?.Message)));
        foreach (var name in names) Assert.That(File.ReadAllText(Path.Combine(Scratch, "back", name, name)), Is.EqualTo(name));

        await client.DeleteAsync("tree", recursive: true);
        Assert.That(RemoteNames(), Is.Empty);
    }

    [Test]
    public async Task Deletion_goes_into_no_link()
    {
        Server.Plant($"{Remote}/kept/a.bin", [1]);
        Server.Plant($"{Remote}/tree/b.bin", [2]);
        Directory.CreateSymbolicLink(Server.Local($"{Remote}/tree/link"), "../kept");
        await using var client = Fluent();
        try
        {
            await client.DeleteAsync("tree", recursive: true);
        }
        catch (TransferException e)
        {
            TestContext.Out.WriteLine(e.Message);
        }
        Assert.That(File.Exists(Server.Local($"{Remote}/kept/a.bin")));
    }

    [Test]
    public async Task Wrong_credentials_and_absent_files_are_told_apart()
    {
        await using var stranger = new FluentFtpTransferClient(() => Connect("wrong"), "/");
        Assert.That((await Assert.CatchAsync<TransferException>(() =>
            stranger.PingAsync().AsTask()))!.Error, Is.EqualTo(TransferError.Auth));
        await using var client = Fluent();
        var absent = await Assert.CatchAsync<TransferException>(() => client.DownloadFileAsync("absent", Path.Combine(Scratch, "a")));
        Assert.That(absent!.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(await client.ExistsAsync("absent"), Is.False);
    }

    private AsyncFtpClient Connect(string password)
    {
        var client = new AsyncFtpClient("localhost", Server.Credential.UserName, password, Server.Port);
        client.Config.EncryptionMode = Variant.Tls switch
        {
            ServerTls.Explicit => FtpEncryptionMode.Explicit,
            ServerTls.Implicit => FtpEncryptionMode.Implicit,
            _ => FtpEncryptionMode.None,
        };
        // The platform's roots are read once a process, and may have been before this run's authority was known.
        using var certificate = X509CertificateLoader.LoadCertificateFromFile(Ftp.CertificateFile);
        var hash = certificate.GetCertHashString();
        client.ValidateCertificate += (_, e) => e.Accept = e.Certificate.GetCertHashString() == hash;
        return client;
    }

    private FluentFtpTransferClient Fluent(int sessions = 1) => new(
        () => Connect(Server.Credential.Password),
        Remote,
        new TransferClientOptions
        {
            MaxSessions = sessions,
            Retry = new RetryOptions { Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds(50) },
        });
}
