using System.Text.Json;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Batch;

/// <summary>Kills <c>transfer put --batch on</c> when some of a folder is there, and goes on with it.</summary>
internal static class KilledBatch
{
    private const int Files = 30;

    public static async Task RunAsync(RealServer server, string scratch, string remote, string way, string[] login)
    {
        var source = Directory.CreateDirectory(Path.Combine(scratch, "source")).FullName;
        for (var i = 0; i < Files; i++) File.WriteAllBytes(Path.Combine(source, $"f{i}"), Bytes.Random(4 << 20, i));
        var home = Directory.CreateDirectory(Path.Combine(scratch, "home")).FullName;
        var target = server.Local(remote + "/t");
        // 64 MiB are a command's of tar: the second must not end before the first one's files are seen.
        string[] put = ["put", "--batch", "on", "--sessions", "1", "--overwrite", "fail", .. login, source,
            server.Url().GetLeftPart(UriPartial.Authority) + remote + "/t"];
        await TransferCommand.RunAsync(server, home, async process =>
        {
            while (!process.HasExited && !(Directory.Exists(target) && Directory.EnumerateFiles(target, "f*").Any())) await Task.Delay(10);
            process.Kill();
        }, [.. put, "--limit", "40M"]);
        var resumed = await TransferCommand.RunAsync(server, home, _ => Task.CompletedTask, [.. put, "--resume", "--json"]);
        Assert.That(resumed.ExitCode, Is.Zero, resumed.Errors);
        using var json = JsonDocument.Parse(resumed.Output);
        var (files, skipped) = (json.RootElement.GetProperty("files").GetInt64(), json.RootElement.GetProperty("skipped").GetInt64());
        Assert.That((json.RootElement.GetProperty("batch").GetString(), files + skipped), Is.EqualTo((way, (long)Files)));
        Assert.That(skipped, Is.InRange(1, Files - 1));
        Assert.That(TestTree.Differences(source, target, TimeSpan.FromSeconds(1)), Is.Empty);
        Assert.That(Directory.EnumerateFileSystemEntries(server.Local(remote), ".transfer-*",
            new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 }), Is.Empty);
    }
}
