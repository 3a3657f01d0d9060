using System.Management.Automation;
using System.Management.Automation.Language;
using System.Management.Automation.Runspaces;

namespace Transfer.PowerShell.Drives;

/// <summary>The text of the Copy-Item that a script currently runs.</summary>
internal static class CopyStatement
{
    private const string Cmdlet = "Copy-Item";

    /// <summary>
    /// The text of the source, with its parameter's name if that is LiteralPath. Null: no statement is known (a host has called the
    /// cmdlet), the statement has several sources, or the files come from a pipeline, and so may be of any provider.
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
