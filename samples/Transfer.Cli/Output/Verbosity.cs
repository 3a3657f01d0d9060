namespace Transfer.Cli.Output;

/// <summary>The amount of detail on standard error.</summary>
internal enum Verbosity
{
    /// <summary>Warnings, errors and the outcome.</summary>
    None,

    /// <summary>Each item too, and the library's information (<c>-v</c>).</summary>
    Items,

    /// <summary>The commands, replies and messages of the protocols too (<c>-vv</c>).</summary>
    Wire,

    /// <summary>All that the library logs (<c>-vvv</c>).</summary>
    All,
}
