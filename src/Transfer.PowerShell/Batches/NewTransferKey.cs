using System.Management.Automation;
using System.Security;
using Transfer.Batch;
using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Batches;

/// <summary>
/// Makes a key for batches that go over a server: a private key with a public half for the other side, or a key that all share.
/// </summary>
[Cmdlet(VerbsCommon.New, "TransferKey", DefaultParameterSetName = Pair, SupportsShouldProcess = true)]
[OutputType(typeof(TransferKey))]
public sealed class NewTransferKey : TransferCmdlet
{
    private const string Pair = "Pair";
    private const string OfAll = "Shared";

    /// <summary>
    /// The file of the new key, which must not exist. Only its user can read the file; on Windows the folder's rights apply.
    /// </summary>
    [Parameter(Mandatory = true, Position = 0)]
    [ValidateNotNullOrEmpty]
    public string Path { get; set; } = string.Empty;

    /// <summary>Encrypts the private key.</summary>
    [Parameter(ParameterSetName = Pair)]
    public SecureString? Passphrase { get; set; }

    /// <summary>Makes a key that sender and recipients share: every holder can send, read, and confirm for all recipients.</summary>
    [Parameter(Mandatory = true, ParameterSetName = OfAll)]
    public SwitchParameter Shared { get; set; }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var path = LocalPathOf(Path);
        if (!ShouldProcess(path, Shared ? "Create shared key" : "Create private key")) return;
        using var key = Shared ? SpoolKey.CreateShared() : SpoolKey.Create();
        Await(token => Task.Run(() => SpoolKeyFile.Write(path, key, SecretText.Of(Passphrase)), token), path);
        WriteObject(new TransferKey(path, key.Public?.ToString(), key.Public is null));
    }
}
