namespace Transfer.Testing;

/// <summary>A command that an <see cref="FtpTestServer"/> received.</summary>
/// <param name="Connection">The control connection's number, from 1 in the order they were accepted.</param>
/// <param name="Read">Which read of that connection ended the command's line, from 1: commands with the same number arrived together.</param>
/// <param name="Verb">The command's name in upper case.</param>
/// <param name="Argument">What follows it, or an empty string. <c>***</c> for PASS.</param>
public readonly record struct FtpTestCommand(int Connection, int Read, string Verb, string Argument)
{
    /// <summary>The line as it was received, without its end: <c>STOR a.txt</c>.</summary>
    public string Text => Argument.Length == 0 ? Verb : $"{Verb} {Argument}";

    /// <summary>The connection's number and the line: <c>1 STOR a.txt</c>.</summary>
    public override string ToString() => $"{Connection} {Text}";
}
