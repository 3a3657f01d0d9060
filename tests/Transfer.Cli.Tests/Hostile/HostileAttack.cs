namespace Transfer.Cli.Tests.Hostile;

/// <summary>What a hostile peer does.</summary>
internal enum HostileAttack
{
    /// <summary>
    /// Messages without end before anything is secured: packets before the first keys, replies in front of the greeting, bytes that are
    /// no handshake.
    /// </summary>
    FloodBeforeKeys,

    /// <summary>Messages that are not known, or want an answer that nobody reads, behind the keys and before the log-in.</summary>
    FloodAfterKeys,

    /// <summary>Messages without end when the log-in is over.</summary>
    FloodAfterLogIn,

    /// <summary>A folder that does not end.</summary>
    EndlessListing,

    /// <summary>One byte now and then.</summary>
    Drip,

    /// <summary>A file that does not end where its length says.</summary>
    LongFile,
}
