using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>What a client has to do once.</summary>
internal sealed record ClientJob
{
    public required ServerAccess Server { get; init; }

    /// <summary>True: to the server; false: from it.</summary>
    public required bool IsUpload { get; init; }

    /// <summary>The operation on the remote folder, which is a copy of the local one; null: files are moved.</summary>
    public TreeWork? Tree { get; init; }

    /// <summary>The folder on this side: what it holds is to be uploaded, or it is empty and to be filled.</summary>
    public required string Local { get; init; }

    /// <summary>The folder on the other side, below the served one, without slashes at either end. It exists.</summary>
    public required string Remote { get; init; }

    /// <summary>
    /// The files to move, by name: all that the source folder holds. One: a file, not a folder, is what the client is asked for.
    /// </summary>
    public required IReadOnlyList<string> Names { get; init; }

    /// <summary>A folder for what clients write about themselves; it is their home.</summary>
    public required string Scratch { get; init; }

    /// <summary>The remote folder as the user's paths have it: <c>/in</c>.</summary>
    public string RemotePath => $"{Server.Home}/{Remote}";

    /// <summary>What the client's own program at the far end said first; null: there is none.</summary>
    public string? FarEnd { get; init; }

    /// <summary>This side's address.</summary>
    public string Host { get; init; } = string.Empty;

    /// <summary>The remote folder on this machine's disk.</summary>
    public string RemoteFolder => Path.Combine(Server.Root, Remote);

    public string LocalFile(string name) => Path.Combine(Local, name);
}
