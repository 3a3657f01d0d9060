using System.Text;

namespace Transfer.Cli.Reference;

/// <summary>Prints the script by which a shell completes the command's words.</summary>
internal sealed class CompletionVerb(Func<IReadOnlyList<Verb>> verbs) : Verb("completion", "bash|zsh|fish|pwsh",
    "Print the script that completes verbs, options and values in a shell.")
{
    /// <summary>Those that there is a script for.</summary>
    public static readonly IReadOnlyList<string> Shells = ["bash", "zsh", "fish", "pwsh"];

    public override string Details => """
        bash: transfer completion bash > ~/.local/share/bash-completion/completions/transfer
        zsh:  transfer completion zsh > a file named _transfer in a folder of $fpath
        fish: transfer completion fish > ~/.config/fish/completions/transfer.fish
        pwsh: transfer completion pwsh | Out-String | Invoke-Expression, in $PROFILE
        """;

    public override IReadOnlyList<string> Examples => ["completion bash > ~/.local/share/bash-completion/completions/transfer"];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Word;

    public override bool IsForScripts => false;

    public override bool IsConfigured => false;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var entries = VerbEntry.All(verbs(), invocation.Options);
        var script = invocation.Paths is [var shell] ? shell switch
        {
            "bash" => BashCompletion.Write(entries),
            "zsh" => ZshCompletion.Write(entries),
            "fish" => FishCompletion.Write(entries),
            "pwsh" => PowerShellCompletion.Write(entries),
            _ => null,
        } : null;
        await invocation.Host.Output.WriteAsync(
            Encoding.UTF8.GetBytes(script ?? throw new UsageException("completion wants one shell: bash, zsh, fish or pwsh.")), ct);
        return ExitCode.Done;
    }
}
