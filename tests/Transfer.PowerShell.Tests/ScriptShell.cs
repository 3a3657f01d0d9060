using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using System.Text.Json;

namespace Transfer.PowerShell.Tests;

/// <summary>A pwsh that runs scripts of Pester one after the other (Scripts/Run.ps1).</summary>
/// <remarks>A new shell compiles 30,000 methods before a script has run: with a shell for each script that was most of the time.</remarks>
internal sealed class ScriptShell : IDisposable
{
    private static readonly ConcurrentBag<ScriptShell> Idle = [];

    private readonly Process _process;
    private readonly string _end = $"end {Guid.NewGuid()}";
    private readonly StringBuilder _errors = new();

    private ScriptShell(string runner)
    {
        var start = Shell.Start(Shell.Script(runner));
        start.RedirectStandardInput = true;
        _process = Process.Start(start)!;
        _process.ErrorDataReceived += (_, line) => { lock (_errors) _errors.AppendLine(line.Data); };
        _process.BeginErrorReadLine();
    }

    /// <summary>Runs a script, whose tests have to pass, in an idle shell or a new one. A shell whose script fails runs no other.</summary>
    /// <param name="scripts">The folder of Run.ps1.</param>
    /// <param name="script">A script of that folder.</param>
    /// <param name="environment">The variables that the script finds beside those of this process.</param>
    public static async Task RunAsync(string scripts, string script, IReadOnlyDictionary<string, string> environment)
    {
        if (!Idle.TryTake(out var shell)) shell = new ScriptShell(Path.Join(scripts, "Run.ps1"));
        var passed = false;
        try
        {
            await shell.RunAsync(Path.Join(scripts, script), environment);
            passed = true;
        }
        finally
        {
            if (passed) Idle.Add(shell);
            else shell.Dispose();
        }
    }

    /// <summary>Ends the idle shells.</summary>
    public static void EndAll()
    {
        while (Idle.TryTake(out var shell)) shell.Dispose();
    }

    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    private async Task RunAsync(string path, IReadOnlyDictionary<string, string> environment)
    {
        await _process.StandardInput.WriteLineAsync(JsonSerializer.Serialize(new { Script = path, Environment = environment, End = _end }));
        await _process.StandardInput.FlushAsync();
        var said = new StringBuilder();
        string? outcome = null;
        using var patience = new CancellationTokenSource(Shell.Patience);
        try
        {
            while (outcome is null && await _process.StandardOutput.ReadLineAsync(patience.Token) is { } line)
            {
                if (line.StartsWith(_end, StringComparison.Ordinal)) outcome = line[_end.Length..].Trim();
                else said.AppendLine(line);
            }
        }
        catch (OperationCanceledException)
        {
            outcome = "hangs";
        }
        lock (_errors) said.Append(_errors);
        Assert.That(outcome, Is.EqualTo("Passed"), said.ToString);
        Assert.That(said.ToString(), Does.Contain("Tests Passed:").And.Not.Contain("Tests Passed: 0,"));
    }
}
