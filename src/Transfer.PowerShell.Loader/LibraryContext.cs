using System.Reflection;
using System.Runtime.Loader;

namespace Transfer.PowerShell.Loader;

/// <summary>
/// Loads the module's libraries apart from those of other modules in the session, which may be other versions. PowerShell's own
/// assemblies and the runtime's come from the default context.
/// </summary>
internal sealed class LibraryContext(string folder) : AssemblyLoadContext("Transfer")
{
    /// <summary>The assembly of a name; null: the name is not of the module.</summary>
    public Assembly? Find(AssemblyName name) => Load(name);

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        var path = Path.Join(folder, $"{assemblyName.Name}.dll");
        return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }
}
