using Transfer.CmdletHelp;

// The help of the cmdlets, as Get-Help reads it (MAML): what the assembly says of their parameters, what its documentation says of these,
// and a page of examples for each.
if (args is not [var assembly, var pages, var output])
{
    Console.Error.WriteLine("usage: Transfer.CmdletHelp ASSEMBLY PAGES OUTPUT");
    return 2;
}
try
{
    var documentation = new Documentation(Path.ChangeExtension(assembly, ".xml"));
    var cmdlets = CmdletType.In(assembly).OrderBy(cmdlet => cmdlet.Name, StringComparer.Ordinal);
    Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(output))!);
    Maml.Write(output,
        cmdlets.Select(cmdlet => new CmdletPage(cmdlet, documentation, ExamplePage.Read(Path.Join(pages, $"{cmdlet.Name}.md")))));
    return 0;
}
catch (InvalidDataException e)
{
    Console.Error.WriteLine($"error: {e.Message}");
    return 1;
}
