using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>The folder that a job fills.</summary>
internal interface ITargetTree : IFolderTree
{
    /// <summary>The target's comparison of names; known once the root exists.</summary>
    IEqualityComparer<string> Names { get; }

    /// <summary>Whether files can be given modification times.</summary>
    bool KeepsTimes { get; }

    /// <summary>Returns the full path, for messages, of a path relative to the folder.</summary>
    string PathOf(string relative);

    /// <summary>Creates the folder and the missing parents. True: the folder did not exist before.</summary>
    /// <exception cref="TransferException">There can be no such folder.</exception>
    /// <param name="mode">The permissions of the folder, of which the umask takes some; null: the usual ones.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask<bool> CreateRootAsync(UnixFileMode? mode, CancellationToken ct);

    /// <summary>As <see cref="IFolderTree.ListsTogether"/>, of <see cref="FindAsync"/>.</summary>
    int FindsTogether { get; }

    /// <summary>
    /// Reads one directory for a caller that decides by presence alone: entries may be missing, and then no absence is proved.
    /// </summary>
    /// <inheritdoc cref="IFolderTree.ListAsync"/>
    ValueTask<TreeListing> FindAsync(string directory, CancellationToken ct);

    /// <summary>Returns whether the folder does not exist.</summary>
    /// <exception cref="TransferException">The path is no folder, or cannot be looked at.</exception>
    ValueTask<bool> LacksRootAsync(CancellationToken ct);

    /// <summary>Creates directories whose parents exist; one outcome for each, in order.</summary>
    ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories, CancellationToken ct);

    /// <summary>Creates links in directories that exist; an error or null for each, in order.</summary>
    /// <exception cref="TransferException">This side cannot create links at all.</exception>
    ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<PlannedLink> links, CancellationToken ct);

    /// <summary>Creates an empty file under a free name; the time is that of creation, by the target's clock.</summary>
    /// <exception cref="TransferException">The file can't be created.</exception>
    ValueTask CreateFileAsync(string path, CancellationToken ct);

    /// <summary>Renames a file, and replaces a file of the new name.</summary>
    /// <param name="from">The path relative to the folder.</param>
    /// <param name="to">The new path, in a directory that exists.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The file still has the old name.</exception>
    ValueTask MoveAsync(string from, string to, CancellationToken ct);

    /// <summary>Deletes files and links by their paths relative to the folder; an error or null for each, in order.</summary>
    ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct);

    /// <summary>Removes empty directories, children before parents; as <see cref="DeleteFilesAsync"/>.</summary>
    ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct);

    /// <summary>Returns why the target cannot have, or must not be given, a name; null when it may.</summary>
    string? Refuse(string name);

    /// <summary>The encoding of names that the target cannot have, as far as known; null: none. Known once the root exists.</summary>
    NameCode? Code { get; }

    /// <summary>
    /// Returns why two names that differ in case only cannot both be used, though <see cref="Names"/> distinguishes them; null when they
    /// can. Tested once.
    /// </summary>
    /// <param name="directory">A directory that exists and has such names.</param>
    /// <param name="forms">Whether the test is about names that differ in Unicode's form only, instead.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask<string?> RefuseTwinsAsync(string directory, bool forms, CancellationToken ct);
}
