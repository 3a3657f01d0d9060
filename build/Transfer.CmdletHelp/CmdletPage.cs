namespace Transfer.CmdletHelp;

/// <summary>All that there is to say of a cmdlet.</summary>
internal sealed record CmdletPage(CmdletType Cmdlet, Documentation Documentation, ExamplePage Page);
