namespace Transfer.Cli.Credentials;

/// <summary>One <c>machine</c> (or, with a null name, <c>default</c>) of a .netrc file. Says nothing of its secrets.</summary>
internal sealed class NetrcEntry
{
    public string? Machine { get; init; }

    public string? Login { get; set; }

    public string? Password { get; set; }

    public string? Account { get; set; }
}
