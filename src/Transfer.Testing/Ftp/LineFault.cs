namespace Transfer.Testing.Ftp;

/// <summary>Why a line is no command.</summary>
internal enum LineFault
{
    None,
    TooLong,
    NoVerb,
    Undecodable,
}
