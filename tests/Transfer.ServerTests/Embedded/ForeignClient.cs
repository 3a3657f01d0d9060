using System.Diagnostics;

namespace Transfer.ServerTests.Embedded;

/// <summary>Runs a client of others to its end.</summary>
internal static class ForeignClient
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Runs a program that must succeed; returns what it printed.</summary>
    public static async Task<string> RunAsync(string program, string[] arguments, string input = "")
    {
        var (code, output) = await TryAsync(program, arguments, input);
        Assert.That(code, Is.Zero, $"{program} {string.Join(' ', arguments)}\n{output}");
        return output;
    }

    /// <summary>Runs a program; returns its exit code and what it printed, errors included.</summary>
    public static async Task<(int Code, string Output)> TryAsync(string program, string[] arguments, string input = "")
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        };
        start.Environment["HOME"] = TestHost.Folder;
        start.Environment.Remove("SSH_AUTH_SOCK");
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.StandardInput.WriteAsync(input);
        process.StandardInput.Close();
        using var limit = new CancellationTokenSource(Patience);
        try
        {
            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw new AssertionException($"{program} {string.Join(' ', arguments)} did not end.");
        }

        return (process.ExitCode, await output + await errors);
    }
}
