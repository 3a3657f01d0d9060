using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Transfer.ServerTests.Servers;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>What ssh-audit finds in the client's first flight is in the documentation, with the reason why it stays.</summary>
[TestFixture]
public sealed partial class AuditTests
{
    [Test]
    public async Task Every_finding_is_listed_with_its_reason()
    {
        using var ports = Ports.NextBlock();
        var port = ports.First;
        string[] arguments = [ServerFiles.SshAudit, "-n", "-c", "-p", port.ToString(CultureInfo.InvariantCulture), "-t", "30"];
        var start = new ProcessStartInfo("python3", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["PYTHONPATH"] = ServerFiles.PythonPackages;
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        using var audit = Process.Start(start)!;
        var output = audit.StandardOutput.ReadToEndAsync();
        await using var client = new SftpTransferClient(new Uri($"sftp://user@127.0.0.1:{port}/"),
            new SftpOptions { Agent = new SshAgentOptions { Use = SshAgentUse.Never } });

        // Until it listens; and when it has read what is offered, it ends.
        while (!output.IsCompleted)
        {
            Assert.That(async () => await client.ConnectAsync(), Throws.InstanceOf<TransferException>());
            await Task.WhenAny(output, Task.Delay(100));
        }

        var text = await output;
        var found = Finding.Matches(text).Select(match => match.Groups[1].Value).ToHashSet();
        var listed = File.ReadLines(Path.Combine(ServerFiles.Repository, "docs", "sftp.md")).Where(
            line => line.StartsWith("| `", StringComparison.Ordinal))
            .SelectMany(line => Listed.Matches(line.Split('|')[1]).Select(match => match.Groups[1].Value)).ToHashSet();

        Assert.That(text, Does.Contain("banner: SSH-2.0-Transfer").And.Contain("chacha20-poly1305@openssh.com"),
            await audit.StandardError.ReadToEndAsync());
        Assert.That(found, Does.Contain("ecdh-sha2-nistp256").And.SubsetOf(listed), text);
    }

    // A name, and a finding on its line or on those below it until the next name.
    [GeneratedRegex(@"^\((?:kex|key|enc|mac)\) (\S+)[^\n]*(?:\n +`-[^\n]*)*?\[(?:fail|warn)\]", RegexOptions.Multiline)]
    private static partial Regex Finding { get; }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Listed { get; }
}
