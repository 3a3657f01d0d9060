using System.Globalization;
using System.Text.Json;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// An SFTP server (asyncssh) that takes nothing but keyboard-interactive, and each code once: what PAM modules for one-time codes do,
/// without PAM, which asks the whole machine.
/// Its log has a line for each log-in: "log-in begun", "accepted", "failed".
/// </summary>
internal sealed class OneTimeCodeServer(IReadOnlyList<Question[]> rounds, string banner)
    : SshServer(ServerVariant.Sftp with { Name = "OneTimeCode" })
{
    private int _codes;

    /// <summary>The whole file system is before the user.</summary>
    public override string Home => Root;

    private string CodesFile => Path.Combine(Folder, "codes");

    /// <summary>Starts one that asks the questions, round by round.</summary>
    public static async Task<OneTimeCodeServer> StartAsync(IReadOnlyList<Question[]> rounds, string banner = "")
    {
        var server = new OneTimeCodeServer(rounds, banner);
        server.Configure();
        await server.StartAsync();
        return server;
    }

    /// <summary>A code that counts once.</summary>
    public string NewCode()
    {
        var code = string.Create(CultureInfo.InvariantCulture, $"{100_000 + Interlocked.Increment(ref _codes)}");
        File.AppendAllText(CodesFile, code + "\n");
        return code;
    }

    /// <summary>How many lines of the log are this one.</summary>
    public int Count(string line) => Log.Split('\n').Count(each => each == line);

    protected override void Configure()
    {
        Know([SshKeys.Host("ed25519")]);
        File.WriteAllText(CodesFile, string.Empty);
    }

    private protected override ServerProcess Launch()
    {
        var questions =
            JsonSerializer.Serialize(rounds.Select(round => round.Select(each => new object[] { each.Prompt, each.Echo, each.Answer })));
        return ServerProcess.Start(
            LogFile,
            "python3",
            [ServerFiles.OneTimeCodes, Port.ToString(CultureInfo.InvariantCulture), SshKeys.Host("ed25519"), CodesFile, questions,
            Credential.Password, banner],
            new Dictionary<string, string> { ["PYTHONPATH"] = ServerFiles.PythonPackages, ["PYTHONDONTWRITEBYTECODE"] = "1" });
    }
}
