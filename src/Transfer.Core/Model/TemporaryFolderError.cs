namespace Transfer;

/// <summary>The error of a file that could not be renamed out of a temporary folder.</summary>
internal static class TemporaryFolderError
{
    /// <summary>Adds the likely reason: another file system.</summary>
    /// <param name="error">The refusal.</param>
    /// <param name="folder">The temporary folder.</param>
    public static TransferException Explain(TransferException error, string folder) =>
        error is TransferConnectionException || error.Error == TransferError.Exists
        ? error
        : error.WithMessage(
            $"{error.Message} It was to be renamed out of {folder}: TemporaryDirectory must be on the file system of the target.");
}
