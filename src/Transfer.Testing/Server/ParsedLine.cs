namespace Transfer.Testing.Server;

/// <summary>A command line's parts.</summary>
/// <param name="Verb">The verb in upper case; empty when there is a fault.</param>
/// <param name="Argument">What follows the first space.</param>
/// <param name="Fault">Why the line is no command, or <see cref="LineFault.None"/>.</param>
internal readonly record struct ParsedLine(string Verb, string Argument, LineFault Fault = LineFault.None);
