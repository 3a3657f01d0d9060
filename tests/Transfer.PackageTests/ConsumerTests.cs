namespace Transfer.PackageTests;

/// <summary>A program in a fresh folder, which has the packages from a feed as a newcomer has.</summary>
[TestFixture]
public sealed class ConsumerTests
{
    private static readonly string[] Libraries = ["Transfer.Ftp", "Transfer.Sftp", "Transfer.Batch", "Transfer.Hosting", "Transfer.SshNet",
        "Transfer.Testing"];
    private DirectoryInfo _folder = null!;
    private string _app = null!;

    [OneTimeSetUp]
    public async Task Create_a_program()
    {
        _folder = Directory.CreateTempSubdirectory("transfer-packages-");
        _app = _folder.CreateSubdirectory("app").FullName;
        await File.WriteAllTextAsync(Path.Combine(_folder.FullName, "nuget.config"), $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="{Path.Combine(_folder.FullName, "packages")}" /></config>
              <packageSources><add key="transfer" value="{Feed.Folder}" /></packageSources>
              <fallbackPackageFolders>{Fallback()}</fallbackPackageFolders>
            </configuration>
            """);
        // Compiled ahead, the libraries stay whole: the warnings are those of all that they have, used here or not.
        var roots = Libraries.Prepend("Transfer.Core").Select(name => $"<TrimmerRootAssembly Include=\"{name}\" />");
        await File.WriteAllTextAsync(Path.Combine(_folder.FullName, "Directory.Build.props"),
            $"<Project><ItemGroup>{string.Concat(roots)}</ItemGroup></Project>");
        await RunAsync("new", "console", "--no-restore");
        // What is added is restored once, by the first build.
        foreach (var package in Libraries) await RunAsync("add", "package", package, "--version", Feed.Version, "--no-restore");
        await RunAsync("add", "package", "Microsoft.Extensions.DependencyInjection", "--version", "10.0.14", "--no-restore");
        File.Copy(Path.Combine(TestContext.CurrentContext.TestDirectory, "Consumer", "Program.cs.txt"), Path.Combine(_app, "Program.cs"),
            overwrite: true);
    }

    [OneTimeTearDown]
    public void Delete_it() => _folder.Delete(recursive: true);

    [Test]
    public async Task It_builds_without_a_warning_and_runs_and_a_stack_trace_has_our_lines()
    {
        await RunAsync("build", "-warnaserror", "-c", "Release");
        var (code, output) = await Feed.RunAsync(_app, "dotnet", "run", "-c", "Release", "--no-build");
        Assert.Multiple(() =>
        {
            Assert.That(code, Is.Zero, output);
            Assert.That(output,
                Does.Contain("uploaded 20 failed 0").And.Contain("skipped 20").And.Contain("sftp 20 failed 0").And.Contain(
                    "sshnet 20 failed 0").And.Contain("hosted /in"));
            Assert.That(output, Does.Match(@"at Transfer\.\S.* in /_/src/Transfer\.Core/\S+\.cs:line \d+"));
        });
    }

    [Test]
    public async Task Compiled_ahead_of_time_it_has_no_warning_and_runs()
    {
        var output = Path.Combine(_folder.FullName, "native");
        // What trimming and compiling ahead warn of is found without optimisation too, which would take half as long again.
        await RunAsync(
            "publish", "-warnaserror", "-c", "Release", "-r", "linux-x64", "-p:PublishAot=true", "-p:Optimize=false", "-o", output);
        var (code, said) = await Feed.RunAsync(_app, Path.Combine(output, "app"));
        Assert.Multiple(() =>
        {
            Assert.That(code, Is.Zero, said);
            Assert.That(said,
                Does.Contain("uploaded 20 failed 0").And.Contain("skipped 20").And.Contain("sftp 20 failed 0").And.Contain(
                    "sshnet 20 failed 0").And.Contain("hosted /in"));
        });
    }

    // What other packages need is not fetched again where this machine has it. None of ours is there: they get a folder of their own.
    private static string Fallback()
    {
        var cache = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        return Directory.Exists(cache) ? $"""<add key="cache" value="{cache}" />""" : string.Empty;
    }

    private async Task RunAsync(params string[] arguments)
    {
        var (code, output) = await Feed.RunAsync(_app, "dotnet", arguments);
        Assert.That(code, Is.Zero, $"dotnet {string.Join(' ', arguments)}\n{output}");
    }
}
