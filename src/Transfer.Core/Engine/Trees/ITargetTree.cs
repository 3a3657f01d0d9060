using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>The folder a job fills.</summary>
internal interface ITargetTree : IFolderTree
{
    /// <summary>How it tells names apart; known when the root is there.</summary>
    IEqualityComparer<string> Names { get; }

    /// <summary>Files can be given modification times.</summary>
    bool KeepsTimes { get; }

    /// <summary>The whole path of what has a path relative to the folder, as messages have it.</summary>
    string PathOf(string relative);

    /// <summary>Creates the folder and those above it. True: it was not there before.</summary>
    /// <exception cref="TransferException">There can be no such folder.</exception>
    /// <param name="mode">The permissions of the folder, of which the umask takes some; null: the usual ones.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask<bool> CreateRootAsync(UnixFileMode? mode, CancellationToken ct);

    /// <summary>True when there is no such folder.</summary>
    /// <exception cref="TransferException">Something else is there, or it cannot be looked at.</exception>
    ValueTask<bool> LacksRootAsync(CancellationToken ct);

    /// <summary>Creates directories whose parents exist; one outcome for each, in order.</summary>
    ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories, CancellationToken ct);

    /// <summary>Makes links in directories that exist; why not, or null, for each, in order.</summary>
    /// <exception cref="TransferException">That can't be done here at all.</exception>
    ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<PlannedLink> links, CancellationToken ct);

    /// <summary>Makes an empty file under a name that nothing has; its time is that of its making, by the clock of where it is.</summary>
    /// <exception cref="TransferException">It can't be made.</exception>
    ValueTask CreateFileAsync(string path, CancellationToken ct);

    /// <summary>Renames a file. What is there under the new name is replaced.</summary>
    /// <param name="from">Its path relative to the folder.</param>
    /// <param name="to">The new one; its directory exists.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">It has its old name still.</exception>
    ValueTask MoveAsync(string from, string to, CancellationToken ct);

    /// <summary>Deletes files and links by their paths relative to the folder; why not, or null, for each, in order.</summary>
    ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct);

    /// <summary>Tells directories from links to directories, before anything is deleted in them; one proof an entry, in order.</summary>
    /// <param name="directory">Where they are, relative to the folder.</param>
    /// <param name="entries">What a listing calls directories.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">It cannot be found out now.</exception>
    ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(string directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct);

    /// <summary>Removes empty directories, children before parents; as <see cref="DeleteFilesAsync"/>.</summary>
    ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct);

    /// <summary>Why a name cannot or must not be used here; null: it can.</summary>
    string? Refuse(string name);

    /// <summary>How it wants those names written, if they are to be, as far as is known; null: there are none. Known when the root is there.</summary>
    NameCode? Code { get; }

    /// <summary>Why two names that differ in case only cannot both be used where <see cref="Names"/> tells them apart; null: they can. Found out once.</summary>
    /// <param name="directory">One that is there and has such names.</param>
    /// <param name="forms">Names that differ in Unicode's form only are meant instead.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask<string?> RefuseTwinsAsync(string directory, bool forms, CancellationToken ct);
}
