using System.Management.Automation.Language;

namespace Transfer.PowerShell;

/// <summary>Arguments as they are typed.</summary>
internal static class CommandText
{
    /// <summary>An argument, with quotation marks if necessary.</summary>
    public static string Quoted(string text) =>
        text.Length > 0 && text.All(c => char.IsLetterOrDigit(c) || c is '/' or '.' or '-' or '_') && text[0] != '-'
            ? text : $"'{CodeGeneration.EscapeSingleQuotedStringContent(text)}'";
}
