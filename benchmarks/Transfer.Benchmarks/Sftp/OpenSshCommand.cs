using System.Diagnostics;
using System.Globalization;
using Transfer.ServerTests.Servers;

namespace Transfer.Benchmarks.Sftp;

/// <summary>OpenSSH's sftp with a key of the test user, without anybody's configuration.</summary>
internal sealed class OpenSshCommand(SshServer server)
{
    private static string In(string path) => Path.Combine(ServerFiles.Repository, "artifacts", "servers", path);

    public async Task RunAsync(string cipher, string line)
    {
        var start = new ProcessStartInfo(In("usr/bin/sftp"),
        [
            "-q", "-b", "-", "-S", In("usr/bin/ssh"), "-F", "none", "-P", server.Port.ToString(CultureInfo.InvariantCulture), "-i",
            SshKeys.PlainUser("ed25519"),
            "-o", $"UserKnownHostsFile={server.KnownHosts}", "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-c", cipher,
            $"{SshKeys.User}@127.0.0.1",
        ])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.StandardInput.WriteLineAsync(line);
        process.StandardInput.Close();
        await process.WaitForExitAsync();
        await output;
        if (process.ExitCode != 0) throw new InvalidOperationException($"sftp: {await errors}");
    }
}
