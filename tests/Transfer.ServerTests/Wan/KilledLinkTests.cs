using System.Diagnostics;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Wan;

/// <summary>What is left of a link whose program was killed: nothing.</summary>
[NonParallelizable]
public sealed class KilledLinkTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(15);

    [Test]
    public async Task Namespaces_and_programs_end_with_the_program_that_made_them()
    {
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Name;
        var program = Path.Combine(ServerFiles.Repository, "artifacts", "bin", "Transfer.Wan", configuration, "Transfer.Wan");
        const string tell = "echo $$; readlink /proc/self/ns/net; exec sleep 600";
        var far = Path.Combine(TestHost.Folder, "far-end");
        var start = new ProcessStartInfo(program,
            ["link", "--rtt", "2", "--rate", "100", "--far", $"({tell}) >{far}", "--", "sh", "-c", tell])
        {
            RedirectStandardOutput = true,
        };
        using var link = Process.Start(start)!;
        using var limit = new CancellationTokenSource(Limit);
        var nearProcess = await link.StandardOutput.ReadLineAsync(limit.Token);
        var nearNamespace = await link.StandardOutput.ReadLineAsync(limit.Token);
        var lines = Array.Empty<string>();
        while (lines.Length < 2)
        {
            await Task.Delay(20, limit.Token);
            if (File.Exists(far)) lines = await File.ReadAllLinesAsync(far, limit.Token);
        }

        var (farProcess, farNamespace) = (lines[0], lines[1]);
        Assert.That(Namespaces(), Does.Contain(nearNamespace).And.Contain(farNamespace));
        Assert.That(nearNamespace, Is.Not.EqualTo(farNamespace));

        link.Kill();
        await link.WaitForExitAsync(limit.Token);
        while (Namespaces().Overlaps([nearNamespace!, farNamespace])) await Task.Delay(50, limit.Token);
        Assert.That(IsAlive(nearProcess!), Is.False);
        Assert.That(IsAlive(farProcess), Is.False);
    }

    private static bool IsAlive(string process) =>
        File.Exists($"/proc/{process}/stat") && !File.ReadAllText($"/proc/{process}/stat").Contains(") Z ", StringComparison.Ordinal);

    /// <summary>The network namespaces in which any thread of this machine is.</summary>
    private static HashSet<string> Namespaces()
    {
        var found = new HashSet<string>();
        foreach (var process in Directory.EnumerateDirectories("/proc").Where(folder => int.TryParse(Path.GetFileName(folder), out _)))
        {
            try
            {
                foreach (var thread in Directory.EnumerateDirectories(Path.Combine(process, "task")))
                {
                    if (new FileInfo(Path.Combine(thread, "ns", "net")).LinkTarget is { } name) found.Add(name);
                }
            }
            catch (IOException)
            {
                // It has ended since.
            }
        }

        return found;
    }
}
