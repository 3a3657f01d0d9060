namespace Transfer.Cli.Verbs;

/// <summary>The side that an argument of a verb is on.</summary>
internal enum ArgumentSide
{
    /// <summary>A server.</summary>
    Remote,

    /// <summary>This machine.</summary>
    Local,

    /// <summary>This machine, unless the argument is a URL or, in a script, begins with a colon.</summary>
    Either,

    /// <summary>Neither: a word that stands for itself.</summary>
    Word,
}
