using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// The act that a <see cref="TreePass"/> carries through a tree. Calls come from several sessions at a time, for different folders. A call
/// that throws a lost session's error is repeated on another session.
/// </summary>
internal interface ITreeAct
{
    /// <summary>Handles folders in front of their content, where the act wants that.</summary>
    ValueTask PrepareAsync(TransferSession session, IReadOnlyList<PassFolder> folders, CancellationToken ct);

    /// <summary>Lists a folder. Errors of the folder are the act's to report. Calls for one session overlap.</summary>
    ValueTask<PassContent> VisitAsync(TransferSession session, PassFolder folder, CancellationToken ct);

    /// <summary>Returns the content of a folder with those child folders only that are proved to be no links.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="content">The content.</param>
    /// <param name="proofs">A proof for each child folder, in order.</param>
    PassContent Prove(PassFolder folder, PassContent content, ReadOnlySpan<DirectoryProof> proofs);

    /// <summary>Handles entries.</summary>
    /// <param name="session">The session.</param>
    /// <param name="entries">The entries, of one folder or several.</param>
    /// <param name="inDoubt">Whether a lost session may have handled some of the entries.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask HandleAsync(TransferSession session, IReadOnlyList<PassEntry> entries, bool inDoubt, CancellationToken ct);

    /// <summary>Handles folders behind their content. Of two folders none is below the other.</summary>
    /// <inheritdoc cref="HandleAsync"/>
    ValueTask FinishAsync(TransferSession session, IReadOnlyList<PassFolder> folders, bool inDoubt, CancellationToken ct);
}
