namespace Transfer;

/// <summary>Options for a listing.</summary>
public sealed record ListOptions
{
    /// <summary>
    /// Whether sub-directories are listed too, each directory before its entries, and all of a level before the next. Those to come are
    /// listed ahead, many at the same time where the protocol can. Links are never followed.
    /// </summary>
    public bool Recursive { get; init; }

    /// <summary>
    /// The number of levels that a recursive listing shows: 1 is the directory itself, 2 its sub-directories too; null: all.
    /// </summary>
    public int? MaxDepth { get; init; }

    /// <summary>
    /// Whether names and types suffice in a recursive listing. Then lengths and times may be rough, and directories may be listed by the
    /// quickest means of the server: over FTP by STAT (RFC 959 section 4.1.3), hundreds in one flight, once STAT has shown the same names
    /// as a listing there. Servers may cut such answers without notice: the longest of a flight is compared with a listing, unless one as
    /// long was before. A cut to exactly the length of one that was compared is not noticed, so nothing may be deleted because of its
    /// absence.
    /// </summary>
    public bool NamesSuffice { get; init; }

    /// <summary>
    /// Whether a partial listing ends without an exception. For callers that do not take absent entries for deleted ones.
    /// </summary>
    public bool AcceptPartial { get; init; }

    /// <summary>Refuses depths that show nothing.</summary>
    /// <param name="options">The options; null: the defaults.</param>
    /// <exception cref="ArgumentOutOfRangeException">A property is less than 1.</exception>
    internal static ListOptions Checked(ListOptions? options)
    {
        options ??= new ListOptions();
        new OptionRules(nameof(ListOptions)).AtLeast(options.MaxDepth, 1, nameof(MaxDepth));
        return options;
    }
}
