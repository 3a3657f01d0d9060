namespace Transfer.Testing.Ftp;

/// <summary>The parts of a command line.</summary>
/// <param name="Verb">The verb in upper case; empty when there is a fault.</param>
/// <param name="Argument">The text after the first space.</param>
/// <param name="Fault">The reason why the line is no command, or <see cref="LineFault.None"/>.</param>
internal readonly record struct ParsedLine(string Verb, string Argument, LineFault Fault = LineFault.None);
