using System.IO.Compression;

namespace Transfer.PackageTests;

/// <summary>The command as people install it.</summary>
[TestFixture]
public sealed class CommandTests
{
    private DirectoryInfo _folder = null!;

    [SetUp]
    public void Create_a_folder() => _folder = Directory.CreateTempSubdirectory("transfer-command-");

    [TearDown]
    public void Delete_it() => _folder.Delete(recursive: true);

    [Test]
    public async Task As_a_tool_it_is_installed_for_this_platform_and_says_its_version()
    {
        var tools = Path.Combine(_folder.FullName, "tools");
        await File.WriteAllTextAsync(Path.Combine(_folder.FullName, "nuget.config"), $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="{Path.Combine(_folder.FullName, "packages")}" /></config>
              <packageSources><clear /><add key="transfer" value="{Feed.Folder}" /></packageSources>
            </configuration>
            """);
        // As the README says, without a version: no other package of the folder has the tool's id.
        var (code, output) = await Feed.RunAsync(_folder.FullName, "dotnet", "tool", "install", "transfer", "--tool-path", tools,
            "--prerelease", "--configfile", "nuget.config");
        Assert.That(code, Is.Zero, output);
        Assert.That(await Feed.RunAsync(_folder.FullName, Path.Combine(tools, "transfer"), "--version"),
            Is.EqualTo((0, $"transfer {Feed.Version}\n")));
        Assert.That(Directory.EnumerateDirectories(Path.Combine(tools, ".store", "transfer"), "transfer.linux-x64",
            SearchOption.AllDirectories), Is.Not.Empty, "the package that was compiled ahead");
    }

    [Test]
    public async Task The_tool_for_every_platform_runs_on_the_runtime()
    {
        using (var package = Feed.Open($"transfer.any.{Feed.Version}.nupkg")) package.ExtractToDirectory(_folder.FullName);
        Assert.That(await Feed.RunAsync(_folder.FullName, "dotnet", "tools/net10.0/any/transfer.dll", "--version"),
            Is.EqualTo((0, $"transfer {Feed.Version}\n")));
    }

    [Test]
    public async Task The_archive_has_the_program_its_manual_and_completions()
    {
        var root = await UnpackAsync("tar", "-xzf", Path.Combine(Feed.Folder, $"transfer-{Feed.Version}-linux-x64.tar.gz"), "-C",
            _folder.FullName);
        root = Path.Combine(root, $"transfer-{Feed.Version}");
        await CheckAsync(root);
        // The compiler is told which methods are never used: both protocols at both ends, and what the terminal shows.
        var (code, output) = await Feed.RunAsync(root, Path.Combine(root, "bin", "transfer"), "demo");
        Assert.That(code, Is.Zero, output);
        Assert.That(output, Does.Contain("SFTP").And.Contain("Factor"));
    }

    [Test]
    public async Task The_Debian_package_has_the_same()
    {
        var package = Path.Combine(Feed.Folder, $"transfer_{Feed.Version}_amd64.deb");
        var (code, output) = await Feed.RunAsync(_folder.FullName, "dpkg-deb", "--field", package, "Version", "Depends");
        Assert.Multiple(() =>
        {
            Assert.That(code, Is.Zero, output);
            // dpkg takes what is behind a tilde for earlier: a preview is before its release.
            Assert.That(output,
                Does.Contain($"Version: {Feed.Version.Replace('-', '~')}\n").And.Match(@"Depends: libc6 \(>= 2\.\d+\), libssl3"));
        });
        await CheckAsync(Path.Combine(await UnpackAsync("dpkg-deb", "-x", package, _folder.FullName), "usr"));
    }

    private async Task<string> UnpackAsync(string program, params string[] arguments)
    {
        var (code, output) = await Feed.RunAsync(_folder.FullName, program, arguments);
        Assert.That(code, Is.Zero, output);
        return _folder.FullName;
    }

    private static async Task CheckAsync(string root)
    {
        Assert.That(await Feed.RunAsync(root, Path.Combine(root, "bin", "transfer"), "--version"),
            Is.EqualTo((0, $"transfer {Feed.Version}\n")));
        Assert.That(new FileInfo(Path.Combine(root, "bin", "transfer")).Length, Is.LessThan(25_000_000), "the program's limit");
        await using var manual = new GZipStream(File.OpenRead(Path.Combine(root, "share/man/man1/transfer.1.gz")),
            CompressionMode.Decompress);
        using var reader = new StreamReader(manual);
        Assert.Multiple(() =>
        {
            Assert.That(reader.ReadToEnd(),
                Does.StartWith($".TH TRANSFER 1 \"\" \"transfer {Feed.Version}\"").And.Contain(".SS transfer sync").And.Contain(
                    "\\-\\-resume"));
            Assert.That(Path.Combine(root, "share/bash-completion/completions/transfer"), Does.Exist);
            Assert.That(Path.Combine(root, "share/zsh/vendor-completions/_transfer"), Does.Exist);
            Assert.That(Path.Combine(root, "share/fish/vendor_completions.d/transfer.fish"), Does.Exist);
        });
    }
}
