namespace Transfer.Wan.Scenarios;

/// <summary>An operation on a whole tree at the server.</summary>
internal enum TreeWork
{
    /// <summary>All names are printed.</summary>
    List,

    /// <summary>The server's tree is made like the near one, and already is.</summary>
    Sync,

    /// <summary>The tree is deleted.</summary>
    Delete,

    /// <summary>Every entry gets the permissions <see cref="TreeWorks.Mode"/>.</summary>
    Modes,
}
