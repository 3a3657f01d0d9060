namespace Transfer;

/// <summary>How a transferred file is checked before it counts.</summary>
public enum Verification
{
    /// <summary>The server's final positive reply is trusted.</summary>
    Reply,

    /// <summary>The sizes at both ends are compared too.</summary>
    Size,
}
