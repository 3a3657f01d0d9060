using System.Management.Automation;

namespace Transfer.PowerShell.Drives;

/// <summary>
/// An error that ends a command on a drive. PowerShell keeps the record of such an exception; with another exception the record, its
/// ErrorId and its category would be lost.
/// </summary>
/// <param name="record">The record; its exception is the inner one.</param>
internal sealed class DriveException(ErrorRecord record) : RuntimeException(record.Exception.Message, record.Exception)
{
    /// <inheritdoc/>
    public override ErrorRecord ErrorRecord => record;
}
