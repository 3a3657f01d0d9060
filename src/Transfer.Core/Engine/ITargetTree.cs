using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>The folder a job fills.</summary>
internal interface ITargetTree
{
    /// <summary>The finest step of its modification times.</summary>
    TimeSpan TimePrecision { get; }

    /// <summary>How it tells names apart; known when the root is there.</summary>
    IEqualityComparer<string> Names { get; }

    /// <summary>Creates the folder and those above it. True: it was not there before.</summary>
    /// <exception cref="TransferException">There can be no such folder.</exception>
    ValueTask<bool> CreateRootAsync(CancellationToken ct);

    /// <summary>Creates directories whose parents exist; one outcome for each, in order.</summary>
    ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories, CancellationToken ct);

    /// <summary>Makes links in directories that exist; why not, or null, for each, in order.</summary>
    /// <exception cref="TransferException">That can't be done here at all.</exception>
    ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<PlannedLink> links, CancellationToken ct);

    /// <summary>Reads one directory to its end. No session is held when it returns.</summary>
    /// <exception cref="TransferException">It cannot be read.</exception>
    ValueTask<IReadOnlyList<TreeEntry>> ListAsync(PlannedDirectory directory, CancellationToken ct);

    /// <summary>Why a name cannot or must not be used here; null: it can.</summary>
    string? Refuse(string name);
}
