using System.Diagnostics;

namespace Transfer.Cli.Tests;

/// <summary>Completion and the manual page: made of what the parser and the help are made of.</summary>
[TestFixture]
[Platform("Linux")]
public sealed class CompletionTests
{
    [TestCase("transfer s", "sync stat send shell")]
    [TestCase("transfer put --over", "--overwrite")]
    [TestCase("transfer put --overwrite n", "newer")]
    [TestCase("transfer sync --compare ", "time size hash")]
    [TestCase("transfer stat --overw", "")]
    [TestCase("transfer completion f", "fish")]
    public async Task Bash_completes(string line, string expected)
    {
        var words = line.Split(' ');
        var quoted = string.Join(' ', words.Select(word => $"'{word}'"));
        var script =
            $"{await RunAsync("completion", "bash")}\nCOMP_WORDS=({quoted}); COMP_CWORD={words.Length - 1}; _transfer; echo "
            + $"\"${{COMPREPLY[*]}}\"";
        using var bash = Process.Start(new ProcessStartInfo("bash", ["-c", script]) { RedirectStandardOutput = true })!;
        Assert.That((await bash.StandardOutput.ReadToEndAsync()).TrimEnd(), Is.EqualTo(expected));
    }

    // Where @ divides words, it is a word of its own, and what is completed begins behind it.
    [TestCase("'transfer' 'ls' '@in'", "", "@inbox/")]
    [TestCase("'transfer' 'ls' '@'", "", "@inbox/ @archive/")]
    [TestCase("'transfer' 'ls' '@' 'in'", "@", "inbox/")]
    [TestCase("'transfer' 'ls' '@'", "@", "inbox/ archive/")]
    public async Task Bash_completes_the_names_of_servers(string words, string breaks, string expected)
    {
        var script =
            $"transfer() {{ printf '@inbox    sftp://a/\n@archive  ftp://b/\n'; }}\n{await RunAsync("completion", "bash")}\n"
            + $"COMP_WORDBREAKS='{breaks}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _transfer; "
            + "echo \"${COMPREPLY[*]}\"";
        using var bash = Process.Start(
            new ProcessStartInfo("bash", ["-c", script]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        Assert.That((await bash.StandardOutput.ReadToEndAsync()).TrimEnd(), Is.EqualTo(expected));
    }

    [TestCase("zsh", "#compdef transfer")]
    [TestCase("fish", "complete -c transfer -n '__fish_seen_subcommand_from sync' -l delete ")]
    [TestCase("pwsh", "Register-ArgumentCompleter -Native -CommandName transfer")]
    public async Task Other_shells_have_scripts_too(string shell, string part) =>
        Assert.That(await RunAsync("completion", shell), Does.Contain(part));

    [TestCase]
    [TestCase("tcsh")]
    [TestCase("bash", "zsh")]
    public async Task Completion_wants_one_shell_that_it_knows(params string[] shells)
    {
        var run = await new CliHarness().RunAsync(["completion", .. shells]);
        Assert.Multiple(() =>
        {
            Assert.That(run.Code, Is.EqualTo(2));
            Assert.That(run.ToString(), Does.Contain("bash, zsh, fish or pwsh"));
        });
    }

    [Test]
    public async Task The_manual_has_every_verb_and_option_and_no_line_that_roff_takes_for_a_request()
    {
        var manual = await RunAsync("manual");
        var help = await RunAsync("sync", "--help");
        var options = help.Split('\n').Select(line => line.Trim()).Where(line => line.StartsWith("--", StringComparison.Ordinal))
            .Select(line => line.Split(' ')[0].TrimEnd(','));
        Assert.Multiple(() =>
        {
            foreach (var option in options)
                Assert.That(manual, Does.Contain($"\\fB{option.Replace("-", "\\-", StringComparison.Ordinal)}\\fR"));
            Assert.That(manual.Split('\n').Where(line => line.StartsWith('.')).Select(line => line.Split(' ')[0]).Distinct(),
                Is.SubsetOf(new[] { ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".br", ".nf", ".fi" }));
        });
    }

    private static async Task<string> RunAsync(params string[] args)
    {
        var run = await new CliHarness().RunAsync(args);
        Assert.That(run.Code, Is.Zero, run.ToString());
        return run.Output;
    }
}
