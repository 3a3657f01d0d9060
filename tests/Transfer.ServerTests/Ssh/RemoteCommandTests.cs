using System.Diagnostics;
using System.Globalization;
using System.Text;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Ssh;

/// <summary>Commands that run at sshd's host.</summary>
[TestFixture]
[Parallelizable]
public sealed class RemoteCommandTests() : SshFixture(ServerVariant.Sftp)
{
    [Test]
    public async Task A_command_that_is_to_end_ends_with_all_that_it_has_started()
    {
        await using var client = Ssh.SftpClient(options => options);
        await using var command = await ((IRemoteCommands)client).StartAsync("echo $$; sleep 600; echo never");
        using var output = new StreamReader(command.Stream);
        var shell = int.Parse((await output.ReadLineAsync())!, CultureInfo.InvariantCulture);
        using var process = Process.GetProcessById(shell);

        await command.TerminateAsync();

        Assert.That(await output.ReadToEndAsync(), Is.Empty);
        Assert.That(await command.ExitStatus, Is.Null, "It was ended by a signal.");
        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
    }

    [Test]
    public async Task Synchronous_calls_wait()
    {
        await using var client = Ssh.SftpClient(options => options);
        await using var command = await ((IRemoteCommands)client).StartAsync("cat");
        var lines = string.Concat(Enumerable.Range(0, 50_000).Select(i => $"line {i}\n"));
        using var output = new StreamReader(command.Stream);
        var reading = Task.Run(output.ReadToEnd);
        command.Stream.Write(Encoding.UTF8.GetBytes(lines));
        await command.CompleteInputAsync();
        Assert.That(await reading.WaitAsync(TimeSpan.FromSeconds(60)), Is.EqualTo(lines));
    }

    [Test]
    public async Task A_command_that_has_ended_is_not_ended_again()
    {
        await using var client = Ssh.SftpClient(options => options);
        await using var command = await ((IRemoteCommands)client).StartAsync("exit 3");
        Assert.That(await command.ExitStatus, Is.EqualTo(3));
        await command.TerminateAsync();
        await client.PingAsync();
    }
}
