using System.Management.Automation;
using System.Security.Cryptography;

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
        if (await Client.GetHashAsync(path, name, ct).ConfigureAwait(false) is { } known)
            return new(Algorithm, known.ToUpperInvariant(), path, true);
        var content = await Client.OpenReadAsync(path, null, ct).ConfigureAwait(false);
        await using var contentEnd = content.ConfigureAwait(false);
        using var hash = IncrementalHash.CreateHash(new HashAlgorithmName(Algorithm));
        var buffer = new byte[1 << 17];
        while (await content.ReadAsync(buffer, ct).ConfigureAwait(false) is > 0 and var read) hash.AppendData(buffer, 0, read);
        return new(Algorithm, Convert.ToHexString(hash.GetHashAndReset()), path, false);
    }
}
