using System.Text.Json;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>
/// The cmdlets in the pwsh of the tool manifest: <c>pwsh pipeline</c> sends the files of a pipeline, <c>pwsh folder</c> the folder, and
/// <c>pwsh</c> only logs in, so that a report can tell
/// the shell's start and the module's import from the work.
/// </summary>
internal sealed class PwshClient(string label) : WanClient(label)
{
    public const string Name = "pwsh";
    public const string Pipeline = Name + " pipeline";
    public const string Folder = Name + " folder";

    private const string Start = "$ErrorActionPreference = 'Stop'; Import-Module $env:WAN_MODULE; "
        + "Connect-TransferServer $env:WAN_URL -IdentityFile $env:TRANSFER_IDENTITY -AcceptNewHostKey | Out-Null; ";

    private static readonly string Module = Path.Combine(ServerFiles.Repository, "artifacts", "module", "Transfer", "Transfer.psd1");

    public override IReadOnlyList<Protocol> Protocols => [Protocol.SFTP];

    public override string? WhyNot =>
        !File.Exists(Module) ? "the module is not built" : Shell is null ? "pwsh is not restored: dotnet tool restore" : base.WhyNot;

    protected override string Program => "dotnet";

    public override ClientCommand Command(ClientJob job) =>
        new(ProgramPath, ["exec", Shell!, "-NoProfile", "-NonInteractive", "-Command", Start + Work])
        {
            Environment = new Dictionary<string, string>
            {
                ["WAN_MODULE"] = Module,
                ["WAN_URL"] = $"sftp://{job.Server.User}@{job.Server.HostAndPort}{job.RemotePath}",
                ["WAN_FOLDER"] = job.Local,
                ["TRANSFER_IDENTITY"] = job.Server.Identity,
                ["POWERSHELL_TELEMETRY_OPTOUT"] = "1",
            },
        };

    // A folder that is sent to one that exists is in it afterwards.
    public override IEnumerable<string> Received(ClientJob job) => Label switch
    {
        Name => [],
        Folder => [Path.Combine(job.RemoteFolder, Path.GetFileName(job.Local))],
        _ => base.Received(job),
    };

    private string Work => Label switch
    {
        Pipeline => "Get-ChildItem -LiteralPath $env:WAN_FOLDER -File | Send-TransferFile -Destination ./",
        Folder => "Send-TransferFile -LiteralPath $env:WAN_FOLDER -Destination ./",
        _ => "Get-TransferServer",
    };

    // Not by `dotnet tool run`: turns have a home of their own, without the tool.
    private static string? Shell
    {
        get
        {
            using var manifest = JsonDocument.Parse(File.ReadAllText(Path.Combine(ServerFiles.Repository, ".config", "dotnet-tools.json")));
            var version = manifest.RootElement.GetProperty("tools").GetProperty("powershell").GetProperty("version").GetString()!;
            var packages = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
                ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
            var tool = Path.Combine(packages, "powershell", version, "tools", "net10.0", "any");
            return new[] { Path.Combine(tool, "unix", "pwsh.dll"), Path.Combine(tool, "pwsh.dll") }.FirstOrDefault(File.Exists);
        }
    }
}
