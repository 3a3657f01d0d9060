using System.Management.Automation;
using System.Text;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Drives;

/// <summary>The parameters of Set-Content and Add-Content on a drive, beside their own.</summary>
internal sealed class WriteParameters : CommandMemory
{
    /// <summary>The encoding where none is given: UTF-8 without a byte order mark.</summary>
    public static readonly Encoding Plain = new UTF8Encoding(false);

    /// <summary>The text's encoding; UTF-8 by default.</summary>
    [Parameter]
    [TextEncoding]
    [ValidateNotNull]
    public Encoding Encoding { get; set; } = Plain;

    /// <summary>The values are bytes.</summary>
    [Parameter]
    public SwitchParameter AsByteStream { get; set; }

    /// <summary>Nothing is put between the values and behind the last one.</summary>
    [Parameter]
    public SwitchParameter NoNewline { get; set; }
}
