namespace Transfer.TestSupport.Exec;

/// <summary>When a connection is lost.</summary>
internal enum RenameLoss
{
    None,

    Before,

    Behind,
}
