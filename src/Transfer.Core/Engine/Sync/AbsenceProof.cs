namespace Transfer.Engine.Sync;

/// <summary>The worth of a name's absence from a listing of the source.</summary>
internal enum AbsenceProof
{
    /// <summary>Proof: the source does not have the name.</summary>
    Proved,

    /// <summary>No proof: the listing lacks entries, or may lack some.</summary>
    Partial,

    /// <summary>No proof: an empty folder and one that may not be read are listed alike.</summary>
    Silent,

    /// <summary>No proof: the listing hides such names.</summary>
    HiddenDots,
}
