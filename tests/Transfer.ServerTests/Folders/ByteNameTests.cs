using System.Diagnostics;
using System.Globalization;
using System.Text;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>Trees whose names are no UTF-8, on every server: <c>find -print0</c> has the same bytes on both sides.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Each))]
[Parallelizable]
public sealed class ByteNameTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    // In Latin-1: a character a byte. Latin-1 names beside the same in UTF-8, bytes that no UTF-8 has, a sequence without its end, an
    // overlong one, half a surrogate.
    private static readonly string[] Names =
    [
        "caf\xE9.txt", "caf\xC3\xA9.txt", "\xFE.bin", "cut-\xE2\x82", "long-\xC0\xAF", "half-\xED\xB2\x80", "b\xFClow/gr\xFC\xDF.txt",
        "b\xFClow/deep\xE9/x", "plain.txt",
    ];

    /// <summary>In control connections (Telnet's IAC, RFC 854) this byte has a meaning of its own.</summary>
    private const string Interpreted = "\xFF.bin";

    /// <summary>Others look through their whole server, by names that .NET can't have.</summary>
    protected override bool OwnServer => true;

    private string Source => Path.Combine(Scratch, "source");

    private string There => Server.Local(Remote + "/tree");

    [SetUp]
    public void MakeTree()
    {
        Directory.CreateDirectory(Source);
        Make(Source, Names);
        Make(Source, [Interpreted]);
    }

    [TearDown]
    public void RemoveTrees()
    {
        foreach (var folder in (string[])[Scratch, Server.Local(Remote)]) Shell.Run("find", folder, "-mindepth", "1", "-delete");
    }

    [Test]
    public async Task A_tree_goes_up_and_down_and_to_another_host_with_all_its_bytes()
    {
        await using var client = Client();
        await using var other = Client();
        AssertAll(await client.UploadDirectoryAsync(Source, Remote + "/tree"));
        Assert.That(Paths(There), Is.EqualTo(Paths(Source)));
        AssertAll(await client.CopyDirectoryAsync(Remote + "/tree", other, Remote + "/copy"));
        Assert.That(Paths(Server.Local(Remote + "/copy")), Is.EqualTo(Paths(Source)));
        var target = Path.Combine(Scratch, "target");
        AssertAll(await client.DownloadDirectoryAsync(Remote + "/tree", target));
        Assert.That(Paths(target), Is.EqualTo(Paths(Source)));
        Shell.Run("diff", "-r", Source, target);
        Shell.Run("diff", "-r", Source, There);
    }

    [Test]
    public async Task Synchronised_twice_nothing_is_deleted_that_the_source_has([Values] SyncDirection direction)
    {
        var target = Path.Combine(Scratch, "target");
        var (from, to) = direction == SyncDirection.Up ? (Source, There) : (There, target);
        await using var client = Client();
        if (direction == SyncDirection.Down) AssertAll(await client.UploadDirectoryAsync(Source, Remote + "/tree"));
        for (var run = 0; run < 2; run++)
        {
            var result = await SyncAsync();
            Assert.That((result.Files, result.Deleted, result.Failed), Is.EqualTo((run == 0 ? Names.Length + 1L : 0L, 0L, 0L)),
                Why(result));
            Assert.That(Paths(to), Is.EqualTo(Paths(from)));
        }
        Remove(from, "caf\xE9.txt", "b\xFClow/gr\xFC\xDF.txt");
        var less = await SyncAsync();
        Assert.That((less.Files, less.Deleted, less.Failed), Is.EqualTo((0L, 2L, 0L)), Why(less));
        Assert.That(Paths(to), Does.Contain("./caf\xC3\xA9.txt").And.Not.Contain("./caf\xE9.txt"));

        Task<JobResult> SyncAsync() =>
            client.SynchronizeAsync(direction == SyncDirection.Up ? Source : target, Remote + "/tree", direction, new() { Delete = true });
    }

    private static void AssertAll(JobResult result) =>
        Assert.That((result.Files, result.Failed), Is.EqualTo((Names.Length + 1L, 0L)), Why(result));

    private static string Why(JobResult result) =>
        string.Join('\n', result.Failures.Select(failure => $"{PrintableText.Of(failure.Path)}: {failure.Error}"));

    private static void Make(string folder, IEnumerable<string> names)
    {
        var script = new StringBuilder("set -e\n");
        foreach (var name in names)
        {
            script.Append(CultureInfo.InvariantCulture,
                $"mkdir -p -- \"$(dirname -- '{name}')\"\nprintf %s '{name}' > '{name}'\ntouch -d '2 days ago' -- '{name}'\n");
        }

        Run(folder, script.ToString());
    }

    private static void Remove(string folder, params string[] names) =>
        Run(folder, string.Concat(names.Select(name => $"rm -- '{name}'\n")));

    private static string[] Paths(string folder) =>
        [.. Run(folder, "find . -print0\n").Split('\0', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal)];

    private static string Run(string folder, string script)
    {
        using var process = Process.Start(new ProcessStartInfo("sh", "-s")
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;
        process.StandardInput.BaseStream.Write(Encoding.Latin1.GetBytes(script));
        process.StandardInput.Close();
        using var output = new MemoryStream();
        process.StandardOutput.BaseStream.CopyTo(output);
        process.WaitForExit();
        return process.ExitCode == 0
            ? Encoding.Latin1.GetString(output.ToArray()) : throw new InvalidOperationException($"sh ended with {process.ExitCode}.");
    }
}
