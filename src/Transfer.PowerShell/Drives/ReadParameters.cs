using System.Management.Automation;
using System.Text;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Drives;

/// <summary>The parameters of Get-Content on a drive, beside its own.</summary>
internal sealed class ReadParameters : CommandMemory
{
    /// <summary>The text's encoding; UTF-8 by default. A byte order mark counts.</summary>
    [Parameter]
    [TextEncoding]
    [ValidateNotNull]
    public Encoding Encoding { get; set; } = new UTF8Encoding(false);

    /// <summary>Bytes instead of text; with -Raw one array.</summary>
    [Parameter]
    public SwitchParameter AsByteStream { get; set; }

    /// <summary>The whole content as one object.</summary>
    [Parameter]
    public SwitchParameter Raw { get; set; }
}
