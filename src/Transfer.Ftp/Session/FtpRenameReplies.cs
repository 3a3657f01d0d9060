namespace Transfer.Ftp.Session;

/// <summary>Whether a host answers RNFR. Thread-safe.</summary>
internal sealed class FtpRenameReplies
{
    private const int Enough = 2;

    private volatile bool _came;
    private int _missing;

    /// <summary>Whether RNFR was answered once.</summary>
    public bool Came { get => _came; set => _came |= value; }

    /// <summary>How many connections, one after the other, had a reply to all commands in front of RNFR, and none to that.</summary>
    public int Missing => Volatile.Read(ref _missing);

    /// <summary>Whether no RNFR is sent any more: as if it were refused.</summary>
    public bool AreNotToCome => Missing >= Enough && !Came;

    /// <summary>
    /// Notes that RNFR was not answered. Connections that were open together may have ended by one outage: they count as one.
    /// </summary>
    /// <param name="before"><see cref="Missing"/> when the connection was new.</param>
    /// <returns>Whether no RNFR is sent any more since this one.</returns>
    public bool NoteMissing(int before) => Interlocked.CompareExchange(ref _missing, before + 1, before) == before && before + 1 == Enough;
}
