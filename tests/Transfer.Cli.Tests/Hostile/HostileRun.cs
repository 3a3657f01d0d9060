using System.Diagnostics;
using System.Globalization;

namespace Transfer.Cli.Tests.Hostile;

/// <summary>How the command, a process of its own, came out of it.</summary>
/// <param name="Code">Its exit code.</param>
/// <param name="Elapsed">From its start to its end.</param>
/// <param name="Peak">The most memory that it had resident, in bytes; 0 where the system does not tell.</param>
/// <param name="Said">The last line of what it said on its error stream.</param>
internal sealed record HostileRun(int Code, TimeSpan Elapsed, long Peak, string Said)
{
    // Far more than any limit: a command that does not end fails the test.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    /// <summary>Runs the command.</summary>
    /// <param name="home">Its home, so that no user's settings count.</param>
    /// <param name="arguments">Its arguments.</param>
    public static async Task<HostileRun> StartAsync(string home, params string[] arguments)
    {
        var start = new ProcessStartInfo(CommandProgram.Path, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var name in (string[])["HOME", "USERPROFILE", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]) start.Environment[name] = home;
        start.Environment.Remove("SSH_AUTH_SOCK");
        var started = Stopwatch.GetTimestamp();
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var output = process.StandardOutput.BaseStream.CopyToAsync(Stream.Null);
        var errors = process.StandardError.ReadToEndAsync();
        var peak = 0L;
        try
        {
            var exit = process.WaitForExitAsync();
            while (!exit.IsCompleted)
            {
                peak = Math.Max(peak, PeakOf(process.Id));
                if (Stopwatch.GetElapsedTime(started) > Patience)
                {
                    throw new AssertionException(
                        $"transfer {string.Join(' ', arguments)} did not end; its most memory was {peak >> 20} MiB.");
                }

                await Task.WhenAny(exit, Task.Delay(10));
            }
            var elapsed = Stopwatch.GetElapsedTime(started);
            await output;
            return new(process.ExitCode, elapsed, peak,
                (await errors).Split('\n', StringSplitOptions.RemoveEmptyEntries).LastOrDefault() ?? string.Empty);
        }
        finally
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
        }
    }

    // The kernel keeps it: a look now and then sees all but the last moments.
    private static long PeakOf(int process)
    {
        try
        {
            var line =
                File.ReadLines($"/proc/{process}/status").FirstOrDefault(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
            return line is null
                ? 0 : long.Parse(line["VmHWM:".Length..].Replace("kB", string.Empty, StringComparison.Ordinal).Trim(),
                    CultureInfo.InvariantCulture) * 1024;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 0; // it has ended, or the system has no such file
        }
    }
}
