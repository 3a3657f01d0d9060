namespace Transfer.Engine.Trees;

/// <summary>The kinds of work in a <see cref="TreePass"/>.</summary>
internal enum PassStage
{
    /// <summary>Folders are listed.</summary>
    Visit,

    /// <summary>Entries are handled.</summary>
    Handle,

    /// <summary>Folders are handled behind their content.</summary>
    Finish,
}
