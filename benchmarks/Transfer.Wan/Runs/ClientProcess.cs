using System.Diagnostics;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Clients;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Runs;

/// <summary>
/// Runs a client at a place and takes its time. Shut in, it runs in a process namespace of its own that ends with this process, however
/// that ends: no client outlives
/// the run, daemons and pipes included. That costs each some milliseconds, and all the same.
/// </summary>
internal sealed class ClientProcess(ServerPlace place, bool isShutIn)
{
    private const int LongestError = 400;

    private static readonly string[] Leash = ["setpriv", "--pdeathsig", "KILL"];
    private static readonly string[] Cage = [.. Leash, "unshare", "--pid", "--mount-proc", "--fork", "--kill-child=KILL", "--"];

    /// <summary>Runs it to its end, or stops it.</summary>
    /// <param name="command">The command.</param>
    /// <param name="home">Its home folder: nobody's configuration counts.</param>
    /// <param name="limit">When it is stopped.</param>
    /// <param name="arrived">Tells the bytes that have arrived, when it is about to be stopped.</param>
    /// <param name="ct">Stops it and is thrown.</param>
    public async Task<ClientOutcome> RunAsync(ClientCommand command, string home, TimeSpan limit, Func<long> arrived, CancellationToken ct)
    {
        var start = Start([], command, home, isShutIn);
        var usageBefore = ChildUsage.Seconds();
        var began = Stopwatch.GetTimestamp();
        using var process = place.Inside(() => Process.Start(start)!);
        await using var memory = new MemoryWatch(process.Id, isShutIn ? 1 : 0);
        var first = (double?)null;
        var output = ReadAsync(process.StandardOutput, () => first = Stopwatch.GetElapsedTime(began).TotalSeconds);
        var errors = process.StandardError.ReadToEndAsync(CancellationToken.None);
        await WriteAsync(process, command.Input);

        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        stop.CancelAfter(limit);
        long? there = null;
        try
        {
            await process.WaitForExitAsync(stop.Token);
        }
        catch (OperationCanceledException)
        {
            if (!ct.IsCancellationRequested) there = arrived();
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
            ct.ThrowIfCancellationRequested();
        }

        var seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        var said = (await errors).Trim();
        var printed = await output;
        if (said.Length == 0) said = printed.Trim();
        said = MachinePaths.Shorten(said);
        var error = process.ExitCode == 0 || there is not null
            ? null : $"exit code {process.ExitCode}: {(said.Length > LongestError ? said[^LongestError..] : said)}";
        return new ClientOutcome(seconds, ChildUsage.Seconds() - usageBefore, there is not null, error, there, memory.Peak,
            printed, first);
    }

    /// <summary>How a program of a turn is started.</summary>
    /// <param name="frame">The words of a program that starts it; none: it is started itself.</param>
    /// <param name="command">The command.</param>
    /// <param name="home">Its home folder.</param>
    /// <param name="isShutIn">It ends with this process.</param>
    public static ProcessStartInfo Start(string[] frame, ClientCommand command, string home, bool isShutIn)
    {
        string[] words = [.. isShutIn && frame.Length > 0 ? Leash : [], .. frame, .. isShutIn ? Cage : [], command.Program,
            .. command.Arguments];
        var start = new ProcessStartInfo(words[0], words[1..])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = home,
        };
        foreach (var (name, value) in command.Environment) start.Environment[name] = value;
        start.Environment["HOME"] = home;
        start.Environment.Remove("SSH_AUTH_SOCK");
        return start;
    }

    private static async Task<string> ReadAsync(StreamReader output, Action begins)
    {
        if (await output.ReadLineAsync() is not { } first) return string.Empty;
        begins();
        return first + '\n' + await output.ReadToEndAsync();
    }

    private static async Task WriteAsync(Process process, string input)
    {
        try
        {
            await process.StandardInput.WriteAsync(input);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended without reading: its exit code and what it said tell why.
        }
    }
}
