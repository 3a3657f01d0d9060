namespace Transfer.PackageTests;

/// <summary>Properties that the build gives packages, as MSBuild evaluates them.</summary>
[TestFixture]
public sealed class BuildTests
{
    private DirectoryInfo _folder = null!;

    [SetUp]
    public void Create_a_folder() => _folder = Directory.CreateTempSubdirectory("transfer-build-");

    [TearDown]
    public void Delete_it()
    {
        // Git's objects are read-only.
        foreach (var file in _folder.EnumerateFiles("*", SearchOption.AllDirectories)) file.Attributes = FileAttributes.Normal;
        _folder.Delete(recursive: true);
    }

    [Test]
    public async Task A_version_is_that_of_the_tag_and_after_the_tag_a_preview_of_the_next_one()
    {
        string[] files = ["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props", "build/Package.targets",
            "build/Transfer.Packing/Transfer.Packing.csproj", "src/Transfer.Core/Transfer.Core.csproj"];
        foreach (var file in files)
        {
            var copy = Path.Combine(_folder.FullName, file);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(Path.Combine(Feed.Repository, file), copy);
        }

        await GitAsync("init", "-q");
        await CommitAsync();
        await GitAsync("tag", "v0.1.0");
        Assert.That(await VersionAsync(), Is.EqualTo("0.1.0"));
        await CommitAsync();
        Assert.That(await VersionAsync(), Does.StartWith("0.1.1-"));
    }

    [TestCase("-p:PackTool=linux-x64", "-p:ToolPlatform=linux-x64")]
    [TestCase("-p:PackTool=linux-x64", "-p:ToolPlatform=any")]
    [TestCase("-p:PackTool=linux-x64")]
    [TestCase("-p:PackTool=any")]
    public async Task A_command_that_is_handed_out_is_compiled_for_the_baseline_processor(params string[] packing)
    {
        Assert.That(await InstructionsAsync(packing), Does.Not.Contain("native"));
    }

    // The same properties name the machine's own processor where the command stays on that machine.
    [TestCase("Native", "\"IlcInstructionSet\": \"native\"")]
    [TestCase("ReadyToRun", "--instruction-set:native")]
    public async Task A_command_for_this_machine_is_compiled_for_its_processor(string way, string instructions)
    {
        Assert.That(await InstructionsAsync($"-p:CompileAhead={way}"), Does.Contain(instructions));
    }

    private Task<string> VersionAsync() =>
        RunAsync(_folder.FullName, "dotnet", "msbuild", "src/Transfer.Core/Transfer.Core.csproj", "-restore", "-t:MinVer",
            "-getProperty:PackageVersion");

    private static Task<string> InstructionsAsync(params string[] properties) =>
        RunAsync(Feed.Repository, "dotnet", ["msbuild", "samples/Transfer.Cli/Transfer.Cli.csproj", .. properties,
            "-getProperty:IlcInstructionSet,PublishReadyToRunCrossgen2ExtraArgs"]);

    private async Task CommitAsync()
    {
        await GitAsync("add", ".");
        await GitAsync("-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false", "commit", "-q",
            "--allow-empty", "-m", "A commit");
    }

    private Task<string> GitAsync(params string[] arguments) => RunAsync(_folder.FullName, "git", arguments);

    private static async Task<string> RunAsync(string folder, string program, params string[] arguments)
    {
        var (code, output) = await Feed.RunAsync(folder, program, arguments);
        Assert.That(code, Is.Zero, output);
        return output.Trim();
    }
}
