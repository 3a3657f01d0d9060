using System.Collections;

namespace Transfer.PowerShell.Drives;

/// <summary>
/// Content that could not be read, behind a part that was. Get-Content makes an exception of a reader an error beside the pipeline, whose
/// next command would take the part for the whole. An exception of the list that the reader returns ends the pipeline.
/// </summary>
/// <param name="error">The error.</param>
internal sealed class FailedContent(Exception error) : ArrayList
{
    /// <inheritdoc/>
    public override int Count => throw error;
}
