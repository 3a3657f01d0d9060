using System.Xml.Linq;
using Transfer.Packing;

if (args is not [var assembly, var documentation])
{
    await Console.Error.WriteLineAsync("Transfer.Packing ASSEMBLY XML: keeps of the XML documentation what applications can reach.");
    return 2;
}

var surface = PublicSurface.Read(assembly);
var document = XDocument.Load(documentation);
var members = document.Root!.Element("members")!.Elements("member").ToList();
var hidden = members.Where(member => !surface.Has((string?)member.Attribute("name") ?? string.Empty)).ToList();
foreach (var member in hidden) member.Remove();
if (hidden.Count > 0) document.Save(documentation);
Console.WriteLine(
    $"{Path.GetFileName(documentation)}: {members.Count - hidden.Count} members documented, {hidden.Count} left out that are not public");
return 0;
