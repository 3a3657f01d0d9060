namespace Transfer.PowerShell;

/// <summary>
/// An entry of a drive: the members of Get-TransferEntry's entries, without <c>Path</c>, which PowerShell's own commands would take for
/// a path of theirs. They take PSPath.
/// </summary>
public sealed class TransferDriveItem
{
    private readonly RemoteEntry _entry;

    internal TransferDriveItem(RemoteEntry entry, TransferServer server)
    {
        _entry = entry;
        Servers.EntryServers.Keep(entry, server);
    }

    // For the cmdlets, which work on the entry at its server.
    internal RemoteEntry Entry => _entry;

    /// <summary>The path at the server.</summary>
    public string FullName => _entry.Path;

    /// <summary>The last part of the path.</summary>
    public string Name => _entry.Name;

    /// <summary>The path of the entry's folder, at the server.</summary>
    public string Directory => RemotePath.GetParent(_entry.Path) ?? "/";

    /// <summary>The name without the extension.</summary>
    public string BaseName => System.IO.Path.GetFileNameWithoutExtension(Name);

    /// <summary>The extension, with the dot.</summary>
    public string Extension => System.IO.Path.GetExtension(Name);

    /// <summary>File, Directory, Link or Other.</summary>
    public RemoteEntryType Type => _entry.Type;

    /// <summary>Bytes; null: not known.</summary>
    public long? Length => _entry.Length;

    /// <summary>The time of the last change; null: not known.</summary>
    public DateTimeOffset? Modified => _entry.Modified;

    /// <summary>The same, as local time.</summary>
    public DateTime? LastWriteTime => _entry.Modified?.LocalDateTime;

    /// <summary>Permissions; null: not known.</summary>
    public UnixFileMode? Mode => _entry.Mode;

    /// <summary>The owner; null: not known.</summary>
    public string? Owner => _entry.Owner;

    /// <summary>The group; null: not known.</summary>
    public string? Group => _entry.Group;

    /// <summary>The target of a link; null: the entry is no link.</summary>
    public string? LinkTarget => _entry.LinkTarget;

    /// <inheritdoc/>
    public override string ToString() => Name;
}
