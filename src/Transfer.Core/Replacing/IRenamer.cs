namespace Transfer.Replacing;

/// <summary>One session's commands, as far as a <see cref="Replacement"/> needs them.</summary>
public interface IRenamer
{
    /// <summary>Renames, in order, together where the protocol can; one reply a rename. Each is asked for, whatever became of those in front.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken cancellationToken);

    /// <summary>Looks at names, together where the protocol can; one sight a path, in order. A name that cannot be looked at is <see cref="NameState.Unknown"/>.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken);

    /// <summary>Deletes a file; why not, or null when it is gone.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    ValueTask<TransferException?> DeleteAsync(string path, CancellationToken cancellationToken);
}
