namespace Transfer.Engine.Sync;

/// <summary>What it proves that a listing of the source does not have a name.</summary>
internal enum AbsenceProof
{
    /// <summary>The source does not have it.</summary>
    Proved,

    /// <summary>Nothing: the listing lacks entries, or may lack some.</summary>
    Partial,

    /// <summary>Nothing: an empty folder and one that may not be read are listed alike.</summary>
    Silent,

    /// <summary>Nothing: the listing hides such names.</summary>
    HiddenDots,
}
