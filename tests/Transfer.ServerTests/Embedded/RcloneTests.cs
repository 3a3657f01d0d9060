using System.Globalization;
using Transfer.Testing;

namespace Transfer.ServerTests.Embedded;

/// <summary>rclone, whose TLS is Go's, at the embedded FTP server.</summary>
[Parallelizable]
internal sealed class RcloneTests
{
    private const int Files = 200;
    private const int Length = 700_000;

    /// <summary>
    /// Go never reads on a connection that it only writes to. Session tickets would lie there unread when it closes: the system then sends
    /// a RST in place of a FIN, and
    /// what it had not sent yet is lost.
    /// </summary>
    [Test]
    public async Task Uploads_over_TLS_arrive_whole()
    {
        var folder = Directory.CreateDirectory(Path.Join(TestHost.Folder, "rclone-" + Guid.NewGuid().ToString("N")));
        var content = new byte[Length];
        for (var i = 0; i < Files; i++)
        {
            SyntheticContent.Fill(content, 0, i);
            await File.WriteAllBytesAsync(Path.Join(folder.FullName, $"{i}"), content);
        }

        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new() { Store = store, Tls = FtpTestTls.Explicit });
        var password = (await ForeignClient.RunAsync("rclone", ["obscure", "demo"])).Trim();
        var port = server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);

        // rclone compares nothing afterwards, and repeats nothing.
        var (_, output) = await ForeignClient.TryAsync("rclone",
        [
            "copy", folder.FullName,
            $":ftp,host=127.0.0.1,port={port},user=demo,pass={password},explicit_tls=true,no_check_certificate=true:/d",
            "--config", Path.Join(folder.FullName, "..", "no-rclone.conf"), "--ignore-size", "--retries", "1", "--low-level-retries", "1",
            "--transfers", "8",
        ]);
        folder.Delete(recursive: true);
        var cut = new List<string>();
        for (var i = 0; i < Files; i++)
        {
            SyntheticContent.Fill(content, 0, i);
            var stored = store.Exists($"/d/{i}") ? store.ReadFile($"/d/{i}") : [];
            if (!stored.AsSpan().SequenceEqual(content)) cut.Add($"{i}: {stored.Length}");
        }

        Assert.That(cut, Is.Empty, output);
    }
}
