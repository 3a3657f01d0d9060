using System.Diagnostics;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>Permissions over SFTP under two umasks, beside what OpenSSH's own scp and sftp make of the same files.</summary>
[TestFixture("022")]
[TestFixture("077")]
[TestFixture("027")]
[Parallelizable]
public sealed class UmaskTests(string umask) : SshFixture(new ServerVariant { Name = $"Sftp{umask}", Umask = umask })
{
    private static readonly int[] Sources = [0b110_000_000, 0b110_100_000, 0b110_100_100, 0b111_101_101, 0b110_110_110, 0b111_111_111];

    private UnixFileMode Umask => (UnixFileMode)Convert.ToInt32(umask, 8);

    [Test]
    public async Task A_new_file_has_the_sources_permissions_without_the_umask()
    {
        await using var client = Client();
        foreach (var mode in Sources)
        {
            await client.UploadFileAsync(Source(mode), $"{Remote}/{mode}");
            Assert.That(Mode($"{mode}"), Is.EqualTo((UnixFileMode)mode & ~Umask));
        }
        await client.UploadAsync(new MemoryStream([1]), Remote + "/stream");
        Assert.That(Mode("stream"), Is.EqualTo((UnixFileMode)0b110_110_110 & ~Umask));
        Assert.That(RemoteNames().Where(name => name.StartsWith('.')), Is.Empty, "nothing is left of the question");
    }

    [Test]
    public async Task New_files_and_replaced_ones_have_what_scp_and_sftp_give_them([Values("scp", "sftp")] string tool)
    {
        (string Name, int? There)[] targets =
            [("new", null), ("private", 0b110_000_000), ("group", 0b110_100_000), ("script", 0b111_101_101)];
        var cases = Sources
            .SelectMany(mode => targets.Select(target => (Name: $"{mode}-{target.Name}", Mode: mode, target.There))).ToList();
        foreach (var (name, _, there) in cases)
        {
            Present($"ours/{name}", there);
            Present($"theirs/{name}", there);
        }

        // All in one session: a log-in for each takes most of the time.
        Send(tool, $"{Remote}/theirs", [.. cases.Select(each => Source(each.Mode, each.Name))]);
        await using var client = Client();
        foreach (var (name, mode, _) in cases)
        {
            await client.UploadFileAsync(Source(mode), $"{Remote}/ours/{name}", new UploadOptions { Overwrite = OverwriteMode.Always });
            Assert.That(Mode($"ours/{name}"), Is.EqualTo(Mode($"theirs/{name}")), $"{Convert.ToString(mode, 8)}: {name}");
        }
    }

    [Test]
    public async Task Nobody_else_reads_a_target_of_0600_at_any_time_of_the_transfer()
    {
        Server.Plant(Remote + "/secret", Bytes.Random(1000));
        File.SetUnixFileMode(Server.Local(Remote + "/secret"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        Server.Plant(Remote + "/open", "open "u8.ToArray());
        // Others may enter the folder, and another user looks at whatever is in there, again and again.
        using var watcher = Process.Start(
            new ProcessStartInfo("setpriv",
                ["--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-c",
                $"while [ -d {Server.Local(Remote)} ]; do cat {Server.Local(Remote)}/* {Server.Local(Remote)}/.transfer-* 2>/dev/null; "
                    + "done"])
            {
                RedirectStandardOutput = true,
            })!;
        var stolen = watcher.StandardOutput.ReadToEndAsync();
        try
        {
            await using var client = Client(options => options with { MaxBytesPerSecond = 4 << 20 });
            var content = Bytes.Random(8 << 20);
            await client.UploadAsync(new MemoryStream(content), Remote + "/secret", new UploadOptions { Overwrite = OverwriteMode.Always });
            await client.UploadFileAsync(LocalFile("again", content), Remote + "/secret",
                new UploadOptions { Overwrite = OverwriteMode.Always, Segments = 4 });
        }
        finally
        {
            watcher.Kill(entireProcessTree: true);
        }
        Assert.That((await stolen).Replace("open ", string.Empty, StringComparison.Ordinal), Is.Empty);
        Assert.That(await stolen, Does.Contain("open"), "it did read what it could");
        Assert.That(Mode("secret"), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
    }

    [Test]
    public async Task A_copy_inside_the_server_and_one_between_two_log_ins_have_the_sources()
    {
        foreach (var mode in Sources)
        {
            Server.Plant($"{Remote}/s/{mode}", Bytes.Random(100));
            File.SetUnixFileMode(Server.Local($"{Remote}/s/{mode}"), (UnixFileMode)mode);
        }
        Server.Plant(Remote + "/inside/384", [9]);
        File.SetUnixFileMode(Server.Local(Remote + "/inside/384"), (UnixFileMode)0b111_101_101);
        await using var client = Client();
        await using var other = Client();
        var always = new DirectoryOptions { Overwrite = OverwriteMode.Always };
        await client.CopyDirectoryAsync(Remote + "/s", client, Remote + "/inside", always);
        await client.CopyDirectoryAsync(Remote + "/s", other, Remote + "/between", always);
        foreach (var mode in Sources)
        {
            var expected = (UnixFileMode)mode & ~Umask;
            Assert.That(Mode($"inside/{mode}"), Is.EqualTo(mode == 0b110_000_000 ? (UnixFileMode)0b111_101_101 : expected),
                Convert.ToString(mode, 8));
            Assert.That(Mode($"between/{mode}"), Is.EqualTo(expected), Convert.ToString(mode, 8));
        }
    }

    [Test]
    public async Task The_command_does_the_same_and_perms_gives_exactly_the_sources()
    {
        var source = Source(0b110_110_110);
        var url = Server.Url().GetLeftPart(UriPartial.Authority).Replace("//", $"//{Server.Credential.UserName}@", StringComparison.Ordinal)
            + Remote;
        foreach (var (name, more) in new (string, string[])[] { ("usual", []), ("exact", ["--perms"]) })
        {
            var outcome = await TransferCommand.RunAsync(Server,
                ["put", source, $"{url}/{name}", "--known-hosts", Ssh.KnownHosts, .. more]);
            Assert.That(outcome.ExitCode, Is.Zero, outcome.Errors);
        }
        Assert.That((Mode("usual"), Mode("exact")), Is.EqualTo(((UnixFileMode)0b110_110_110 & ~Umask, (UnixFileMode)0b110_110_110)));
        var changed = await TransferCommand.RunAsync(Server, "chmod", "-R", "u=rwX,go=", url, "--known-hosts", Ssh.KnownHosts);
        Assert.That(changed.ExitCode, Is.Zero, changed.Errors);
        Assert.That(Mode("exact"), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
    }

    [Test]
    [Explicit("Writes the rows of docs/reports/modes.md; rsync has to be in the PATH.")]
    public async Task The_rows_of_the_report()
    {
        await using var client = Client();
        var rows = new List<string>();
        foreach (var mode in new[] { 0b110_000_000, 0b110_100_000, 0b110_100_100, 0b111_101_101, 0b110_110_110 })
        {
            var source = Source(mode);
            foreach (var there in new int?[] { null, 0b110_000_000, 0b110_100_000, 0b111_101_101, 0b100_111_101_101 })
            {
                var found = new List<string>();
                foreach (var tool in new[] { "scp", "sftp", "rsync", "transfer" })
                {
                    var name = $"{tool}-{mode}-{there}";
                    Present(name, there);
                    if (tool == "transfer")
                        await client.UploadFileAsync(source, $"{Remote}/{name}", new UploadOptions { Overwrite = OverwriteMode.Always });
                    else Send(tool, Remote, Source(mode, name));
                    found.Add(Octal((int)Mode(name)));
                }
                rows.Add($"| {umask} | {Octal(mode)} | {(there is { } over ? Octal(over) : "new")} | {string.Join(" | ", found)} |");
            }
        }
        await File.WriteAllLinesAsync(Path.Combine(ServerFiles.Repository, "artifacts", $"modes-{umask}.md"), rows);

        static string Octal(int mode) => Convert.ToString(mode, 8).PadLeft(4, '0');
    }

    private void Present(string name, int? mode)
    {
        if (mode is not { } present) return;
        Server.Plant($"{Remote}/{name}", [9]);
        File.SetUnixFileMode(Server.Local($"{Remote}/{name}"), (UnixFileMode)present);
    }

    private string Source(int mode, string? name = null)
    {
        var path = LocalFile(name ?? $"source{mode}", Bytes.Random(1000));
        File.SetUnixFileMode(path, (UnixFileMode)mode);
        return path;
    }

    private void Send(string tool, string folder, params string[] sources)
    {
        string[] common = ["-q", "-o", $"UserKnownHostsFile={Ssh.KnownHosts}", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-i",
            SshKeys.PlainUser("ed25519"), "-P", $"{Server.Port}"];
        var host = $"{Server.Credential.UserName}@localhost";
        if (tool == "scp")
        {
            Shell.Run(ServerFiles.Scp, ["-F", "none", .. common, .. sources, $"{host}:{folder}"]);
            return;
        }
        if (tool == "rsync")
        {
            var ssh =
                $"{ServerFiles.Ssh} -F none -q -o UserKnownHostsFile={Ssh.KnownHosts} -o BatchMode=yes -o IdentitiesOnly=yes -i "
                + $"{SshKeys.PlainUser("ed25519")} -p {Server.Port}";
            var rsync = Shell.Run("sh", "-c", "command -v rsync").Trim();
            Shell.Run(rsync, ["-e", ssh, "--rsync-path", $"umask {umask}; {rsync}", .. sources, $"{host}:{folder}"]);
            return;
        }
        var batch = TextFile($"batch{Guid.NewGuid():N}", string.Join('\n', sources.Select(source => $"put {source} {folder}/")));
        Shell.Run(ServerFiles.Sftp, ["-F", "none", .. common, "-b", batch, host]);
    }

    private UnixFileMode Mode(string name) => File.GetUnixFileMode(Server.Local($"{Remote}/{name}"));
}
