namespace Transfer.Testing;

/// <summary>A command that an <see cref="FtpTestServer"/> received, or a request that an <see cref="SftpTestServer"/> received.</summary>
/// <param name="Connection">The connection's number, from 1 in the order of acceptance; with FTP a control connection.</param>
/// <param name="Read">The read of that connection with the command's end, from 1: commands with the same number arrived together.</param>
/// <param name="Verb">The command's name in upper case; with SFTP the request's, such as <c>OPEN</c>, or the name of an extension.</param>
/// <param name="Argument">
/// The rest of the line, or an empty string. <c>***</c> for PASS. With SFTP the paths, and the offset and length of READ and WRITE.
/// </param>
public readonly record struct TestCommand(int Connection, int Read, string Verb, string Argument)
{
    /// <summary>The received line without the line end: <c>STOR a.txt</c>.</summary>
    public string Text => Argument.Length == 0 ? Verb : $"{Verb} {Argument}";

    /// <summary>The connection's number and the line: <c>1 STOR a.txt</c>.</summary>
    public override string ToString() => $"{Connection} {Text}";
}
