namespace Transfer.Cli.Output;

/// <summary>The form of the lines of <c>--log</c>.</summary>
internal enum LogFormat
{
    /// <summary>Fields separated by tabs: time, action, bytes, path, detail.</summary>
    Text,

    /// <summary>An <see cref="ItemJson"/> a line.</summary>
    JsonLines,
}
