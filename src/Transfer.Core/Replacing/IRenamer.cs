namespace Transfer.Replacing;

/// <summary>One session's commands, as far as a <see cref="Replacement"/> needs them.</summary>
public interface IRenamer
{
    /// <summary>
    /// Renames, in order, together where the protocol can; one reply a rename. Each is sent even if an earlier one fails.
    /// </summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken cancellationToken);

    /// <summary>
    /// Looks at names, together where the protocol can; one sight a path, in order. A name that cannot be seen is
    /// <see cref="NameState.Unknown"/>.
    /// </summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken);

    /// <summary>Deletes a file. Returns the error; null: deleted.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    ValueTask<TransferException?> DeleteAsync(string path, CancellationToken cancellationToken);
}
