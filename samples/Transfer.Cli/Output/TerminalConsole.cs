using Spectre.Console;

namespace Transfer.Cli.Output;

/// <summary>A Spectre console on standard error.</summary>
internal static class TerminalConsole
{
    /// <summary>With colours unless NO_COLOR is set (no-color.org: to anything but nothing); without a terminal, plain text.</summary>
    public static IAnsiConsole Create(CommandHost host)
    {
        var plain = !string.IsNullOrEmpty(host.Environment("NO_COLOR")) || !host.ErrorIsTerminal;
        return AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(host.Error),
            Ansi = host.ErrorIsTerminal ? AnsiSupport.Detect : AnsiSupport.No,
            ColorSystem = plain ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect,
            Interactive = host.ErrorIsTerminal ? InteractionSupport.Yes : InteractionSupport.No,
        });
    }
}
