using System.Management.Automation;
using System.Security;
using Transfer.Batch;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Files;

namespace Transfer.PowerShell.Batches;

/// <summary>
/// Base of the cmdlets of batches: many files as sealed archives, through a folder of a server (a spool) or straight to a receiver.
/// </summary>
public abstract class BatchCmdlet : JobRunCmdlet
{
    private protected const string BySpool = "Spool";
    private protected const int MostSessions = 64;

    private SpoolKey? _key;

    /// <summary>The file of the own key, which New-TransferKey makes: a private key, or the one that all share.</summary>
    [Parameter(ParameterSetName = BySpool)]
    [ValidateNotNullOrEmpty]
    public string? KeyFile { get; set; }

    /// <summary>
    /// The passphrase of an encrypted key file; without -KeyFile the one that sender and recipients share instead of a key.
    /// </summary>
    [Parameter(ParameterSetName = BySpool)]
    public SecureString? Passphrase { get; set; }

    /// <summary>A folder that keeps the command's state until the next run; by default the user's own.</summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string? StateFolder { get; set; }

    /// <summary>Archives, or connections to a receiver, at once.</summary>
    [Parameter]
    [ValidateRange(1, MostSessions)]
    public int? Sessions { get; set; }

    /// <inheritdoc/>
    private protected override bool UsesServer => ParameterSetName == BySpool;

    /// <inheritdoc/>
    private protected override bool HasOneConnection => ParameterSetName != BySpool;

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // The jobs have ended then.
        base.Dispose(disposing);
        if (disposing) _key?.Dispose();
    }

    /// <summary>Starts a job and follows the job to its end. A refusal of the libraries ends the command.</summary>
    private protected void Follow(string folder, Func<TransferJob> start) => Follow(Await(_ => Task.FromResult(start()), folder));

    /// <summary>The own key.</summary>
    private protected SpoolKey Key()
    {
        if (KeyFile is null && Passphrase is null)
            Fail(new ArgumentException("Give -KeyFile, which New-TransferKey makes, or the Passphrase that all share."));
        var path = KeyFile is null ? null : LocalPathOf(KeyFile);
        return _key = Await(
            token => Task.Run(
                () => path is null
                ? SpoolKey.FromPassphrase(SecretText.Of(Passphrase)) : SpoolKeyFile.Read(path, SecretText.Of(Passphrase)), token), path);
    }

    /// <summary>A public key, given as text or as a file.</summary>
    private protected SpoolPublicKey PublicKey(string text)
    {
        var given = text.StartsWith(SpoolKeyFile.PublicPrefix, StringComparison.Ordinal) ? text : LocalPathOf(text);
        return Await(token => Task.Run(() => SpoolKeyFile.ReadPublic(given), token), text);
    }

    /// <summary>The folder for the state of spools.</summary>
    private protected string SpoolState()
    {
        var folder = OwnStateFolder
            ?? JournalDirectory.StatePath("spool", Environment.GetEnvironmentVariable,
                Environment.GetFolderPath(Environment.SpecialFolder.UserProfile));
        if (folder is null) Fail(new InvalidOperationException("This user has no folder for states: give -StateFolder."));
        return folder!;
    }

    /// <summary>The folder that was given; null: none was.</summary>
    private protected string? OwnStateFolder => StateFolder is null ? null : LocalPathOf(StateFolder);
}
