using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Hashes files of a server: the server hashes if it can, else the content is read.</summary>
[Cmdlet(VerbsCommon.Get, "TransferFileHash", DefaultParameterSetName = ByPath)]
[OutputType(typeof(RemoteFileHash))]
public sealed class GetTransferFileHash : PathCmdlet
{
    /// <summary>SHA256 (the default), SHA1, SHA384, SHA512 or MD5.</summary>
    [Parameter]
    [ValidateSet("SHA256", "SHA1", "SHA384", "SHA512", "MD5")]
    public string Algorithm { get; set; } = "SHA256";

    /// <inheritdoc/>
    protected override void ProcessRecord() => ForEachEntry(entry =>
    {
        if (entry.Type == RemoteEntryType.Directory)
        {
            WriteError(
                Record(new TransferException(TransferError.Unsupported,
                    $"{entry.Path} is a folder, which has no hash.")
                { RemotePath = entry.Path }, entry));
            return;
        }
        if (TryAwait(token => HashAsync(entry.Path, token), entry, out var hash)) WriteObject(hash);
    });

    private async Task<RemoteFileHash> HashAsync(string path, CancellationToken ct)
    {
        var name = Algorithm.StartsWith("SHA", StringComparison.Ordinal) ? $"SHA-{Algorithm[3..]}" : Algorithm;
        var computed = await Client.ComputeHashAsync(path, name, ct).ConfigureAwait(false);
        return new(Algorithm, computed.Hash.ToUpperInvariant(), path, computed.Source != HashSource.ReadBack);
    }
}
