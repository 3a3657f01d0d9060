namespace Transfer.Ftp.Listing;

/// <summary>One parsed line, with texts that are still spans of the line.</summary>
internal ref struct ListedEntry
{
    /// <summary>The name, or a path where the server prints one. Empty: a line without an entry (a header, a total).</summary>
    public ReadOnlySpan<char> Name { get; set; }

    /// <summary>The type.</summary>
    public RemoteEntryType Type { get; set; }

    /// <summary>The length in bytes, where the server gives bytes.</summary>
    public long? Length { get; set; }

    /// <summary>See <see cref="RemoteEntry.IsLengthApproximate"/>.</summary>
    public bool IsLengthApproximate { get; set; }

    /// <summary>The time of the last modification.</summary>
    public DateTimeOffset? Modified { get; set; }

    /// <summary>The date as the line has it, where written in numbers.</summary>
    public NumericDate Numbers { get; private set; }

    /// <summary>The time of creation.</summary>
    public DateTimeOffset? Created { get; set; }

    /// <summary>The POSIX permission bits.</summary>
    public UnixFileMode? Mode { get; set; }

    /// <summary>The owner's name or number; empty: unknown.</summary>
    public ReadOnlySpan<char> Owner { get; set; }

    /// <summary>The group's name or number; empty: unknown.</summary>
    public ReadOnlySpan<char> Group { get; set; }

    /// <summary>A link's target; empty: unknown.</summary>
    public ReadOnlySpan<char> Target { get; set; }

    /// <summary>The server's identity of the file (RFC 3659 7.5.2), of a link's target on some servers; empty: unknown.</summary>
    public ReadOnlySpan<char> Unique { get; set; }

    /// <summary>Takes a date of numbers for the time of modification.</summary>
    public void SetModified(in NumericDate date, ListingContext context)
    {
        Numbers = date;
        Modified = date.IsAmbiguous ? null : date.At(date.AnyPossible, context);
    }

    /// <summary>Makes the entry; the only step that allocates.</summary>
    public readonly RemoteEntry ToEntry(string path, string? owner, string? group) => new()
    {
        Path = path,
        Type = Type,
        Length = Length,
        IsLengthApproximate = IsLengthApproximate,
        Modified = Modified,
        Created = Created,
        Mode = Mode,
        Owner = owner,
        Group = group,
        LinkTarget = Target.IsEmpty ? null : Target.ToString(),
    };

    /// <summary>Makes the entry, with new strings for owner and group.</summary>
    public readonly RemoteEntry ToEntry(string path) =>
        ToEntry(path, Owner.IsEmpty ? null : Owner.ToString(), Group.IsEmpty ? null : Group.ToString());
}
