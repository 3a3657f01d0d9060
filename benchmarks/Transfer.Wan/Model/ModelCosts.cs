namespace Transfer.Wan.Model;

/// <summary>
/// The constants of the model, measured on two cores with 100,000 files of 5.9 KB in 1,000 folders, in memory, over loopback. Processor
/// times are those of <c>wait4</c> for the command, and for the server with all its children.
/// </summary>
internal static class ModelCosts
{
    /// <summary>
    /// Seconds for each file of a walk of both sides by one <c>transfer plan</c>, with nothing to send: the best of four on a busy machine.
    /// </summary>
    public const double Walk = 12e-6;

    /// <summary>Processor time of the server for each file that it lists.</summary>
    public const double WalkServer = 2e-6;

    /// <summary>Bytes of a line of a manifest, besides the path.</summary>
    public const double LineBytes = 26;

    /// <summary>Bytes of memory for each deletion, which a plan holds until the walk has ended.</summary>
    public const double DeletionBytes = 250;

    /// <summary>The work to confirm a file, as a share of that to send one.</summary>
    public const double ConfirmShare = 0.15;

    /// <summary>File by file over SFTP: <c>transfer put</c> to OpenSSH.</summary>
    public static readonly ModelMethod Sftp = new("SFTP", 89e-6, 76e-6, 0);

    /// <summary>
    /// File by file over FTP: <c>transfer put</c> of 3,000 files to ProFTPD, 2.05 round trips a file (small-files.md).
    /// </summary>
    public static readonly ModelMethod Ftp = new("FTP", 250e-6, 650e-6, 2.05);

    /// <summary>In sealed archives: <c>transfer send</c> to <c>transfer receive</c>.</summary>
    public static readonly ModelMethod Batch = new("batch", 35e-6, 50e-6, 0);
}
