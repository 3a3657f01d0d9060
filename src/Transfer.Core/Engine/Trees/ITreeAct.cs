using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// The act that a <see cref="TreePass"/> carries through a tree. Calls come from several sessions at a time, for different folders. A call
/// that throws a lost session's error is repeated on another session.
/// </summary>
internal interface ITreeAct
{
    /// <summary>Whether a folder is handled in front of its content.</summary>
    bool Prepares(PassFolder folder);

    /// <summary>Handles folders in front of their content, those that the act <see cref="Prepares"/>.</summary>
    ValueTask PrepareAsync(TransferSession session, IReadOnlyList<PassFolder> folders, CancellationToken ct);

    /// <summary>
    /// Lists a folder, with a proof of one that is not proved. Errors of the folder that are final (<see cref="PassFolder.IsFinal"/>) are
    /// the act's to report. Calls for one session overlap.
    /// </summary>
    ValueTask<PassContent> VisitAsync(TransferSession session, PassFolder folder, CancellationToken ct);

    /// <summary>Returns the entry to handle in place of a folder that may be a link; null: none.</summary>
    /// <param name="parent">The folder that holds the entry.</param>
    /// <param name="path">The path.</param>
    /// <param name="proof">The proof, which is not <see cref="DirectoryProof.Child"/>.</param>
    PassEntry? Instead(PassFolder parent, string path, DirectoryProof proof);

    /// <summary>Handles entries.</summary>
    /// <param name="session">The session.</param>
    /// <param name="entries">The entries, of one folder or several.</param>
    /// <param name="inDoubt">Whether a lost session may have handled some of the entries.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask HandleAsync(TransferSession session, IReadOnlyList<PassEntry> entries, bool inDoubt, CancellationToken ct);

    /// <summary>
    /// Handles folders behind their content. A folder below another of the call comes first, and only at sessions that change in order
    /// (<see cref="TransferFeatures.ChangesInOrder"/>).
    /// </summary>
    /// <inheritdoc cref="HandleAsync"/>
    ValueTask FinishAsync(TransferSession session, IReadOnlyList<PassFolder> folders, bool inDoubt, CancellationToken ct);
}
