using System.Diagnostics;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Command;

/// <summary>Runs the built <c>transfer</c> as a user would: a process of its own, no terminal.</summary>
internal static class TransferCommand
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    public sealed record Outcome(int ExitCode, string Output, string Errors);

    public static Task<Outcome> RunAsync(RealServer server, params string[] arguments) =>
        RunInHomeAsync(server, Directory.CreateDirectory(Path.Combine(TestHost.Folder, "home")).FullName, arguments);

    /// <summary>The same with a home of the test's own: what whoever runs the tests has at home must not count.</summary>
    /// <param name="server">Whose password it is given.</param>
    /// <param name="home">The home.</param>
    /// <param name="arguments">The command line.</param>
    public static async Task<Outcome> RunInHomeAsync(RealServer server, string home, params string[] arguments) =>
        await RunAsync(server, home, _ => Task.CompletedTask, arguments);

    /// <summary>The same, with something done to it while it runs.</summary>
    /// <param name="server">Whose password it is given.</param>
    /// <param name="home">The home.</param>
    /// <param name="meanwhile">Gets the command's process. Its end is waited for after it.</param>
    /// <param name="arguments">The command line.</param>
    public static async Task<Outcome> RunAsync(RealServer server, string home, Func<Process, Task> meanwhile, params string[] arguments)
    {
        var start = new ProcessStartInfo(BuiltCommand.Program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["HOME"] = home;
        start.Environment.Remove("XDG_STATE_HOME");
        start.Environment.Remove("SSH_AUTH_SOCK");
        start.Environment["TRANSFER_PASSWORD"] = server.Credential.Password;
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        using var limit = new CancellationTokenSource(Limit);
        try
        {
            await meanwhile(process);
            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            throw new TimeoutException($"transfer {string.Join(' ', arguments)} did not end within {Limit}:\n{await errors}");
        }

        return new Outcome(process.ExitCode, await output, await errors);
    }
}
