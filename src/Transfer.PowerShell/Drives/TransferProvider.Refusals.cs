using System.Management.Automation;

namespace Transfer.PowerShell.Drives;

public sealed partial class TransferProvider
{
    private const string CopyOfFiles = "Microsoft.PowerShell.Commands.CopyItemDynamicParameters";

    /// <inheritdoc/>
    protected override string MakePath(string parent, string child)
    {
        var path = base.MakePath(parent, child);
        // The parameters of Copy-Item are those of local files: the source is local, and this path is the destination. PowerShell will
        // refuse, without naming the command to use instead.
        if (DynamicParameters?.GetType().FullName == CopyOfFiles && CopyStatement.Source(InvokeCommand) is { } source)
            RefuseLocal(source, path);
        return path;
    }

    private void RefuseLocal(string source, string path)
    {
        var drive = DriveOf(path);
        var destination = TransferDrive.RelativeOf(path).Length == 0
            ? string.Empty : $" -Destination {CommandText.Quoted(drive.RemoteOf(path))}";
        var command = $"Send-TransferFile {source}{destination} -Server {CommandText.Quoted(drive.Server.Name)}";
        Refuse($"Copy-Item does not copy local files to the drive {drive.Name}:", "send", command, path);
    }

    private void Refuse(string what, string verb, string command, string path) => End(Errors.ErrorRecords.Of(
        new TransferException(TransferError.Unsupported, $"{what}. To {verb} it, use: {command}"), path, $"Use: {command}"));

    // PowerShell copies and moves within one provider only, and its error names no alternative. It requests parameters of the source's
    // provider before: here the refusal names the right command.
    private void RefuseOther(string cmdlet, string path, string? destination)
    {
        var drive = DriveOf(path);
        // PowerShell passes the current folder if the command's paths come from a pipeline: those paths are not known.
        if (string.IsNullOrEmpty(destination) || TransferDrive.RelativeOf(path) == TransferDrive.RelativeOf(drive.CurrentLocation)) return;
        SessionState.Path.GetUnresolvedProviderPathFromPSPath(destination, out var provider, out _);
        if (provider.ImplementingType == typeof(TransferProvider)) return;
        var remote = drive.RemoteOf(path);
        var literally = WildcardPattern.ContainsWildcardCharacters(remote) ? "-LiteralPath " : string.Empty;
        var command = $"Receive-TransferFile {literally}{CommandText.Quoted(remote)} -Destination {CommandText.Quoted(destination)}"
            + $" -Server {CommandText.Quoted(drive.Server.Name)}";
        Refuse($"{cmdlet} does not leave the drive {drive.Name}:", "fetch", command, path);
    }
}
