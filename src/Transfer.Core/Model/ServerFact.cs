namespace Transfer;

/// <summary>A fact about a server or the connection to it.</summary>
/// <param name="Name">A stable name in lower case, such as <c>home</c> or <c>cipher</c>.</param>
/// <param name="Value">The value; a server's own words are not made printable.</param>
public sealed record ServerFact(string Name, string Value);
