using System.Management.Automation;
using System.Management.Automation.Language;
using System.Management.Automation.Runspaces;

namespace Transfer.PowerShell.Drives;

/// <summary>The Copy-Item that a script is at just now, as it is written.</summary>
internal static class CopyStatement
{
    private const string Cmdlet = "Copy-Item";

    /// <summary>
    /// The text of what is copied, with the name of its parameter where that is LiteralPath. Null: no statement is known (a host has
    /// called the cmdlet), it has several of them, or the files come from a pipeline, so that they may be of any provider.
    /// </summary>
    public static string? Source(CommandInvocationIntrinsics commands)
    {
        if (Runspace.DefaultRunspace?.Debugger.GetCallStack().FirstOrDefault()?.Position?.Text is not { } text) return null;
        var statements = Parser.ParseInput(text, out _, out _)
            .FindAll(ast => ast is CommandAst, searchNestedScriptBlocks: true).Cast<CommandAst>();
        var found = statements.Where(command => IsCopy(commands, command.GetCommandName())).ToList();
        if (found is not [{ Parent: PipelineAst pipeline } copy] || pipeline.PipelineElements[0] != copy) return null;
        var bound = StaticParameterBinder.BindCommand(copy).BoundParameters;
        if (bound.TryGetValue("LiteralPath", out var literal)) return $"-LiteralPath {literal.Value.Extent.Text}";
        return bound.TryGetValue("Path", out var path) ? path.Value.Extent.Text : null;
    }

    private static bool IsCopy(CommandInvocationIntrinsics commands, string? name) =>
        name is not null && (name.Equals(Cmdlet, StringComparison.OrdinalIgnoreCase)
            || commands.GetCommand(name, CommandTypes.Alias) is AliasInfo { ResolvedCommand.Name: Cmdlet });
}
