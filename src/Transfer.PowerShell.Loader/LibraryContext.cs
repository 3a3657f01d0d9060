using System.Reflection;
using System.Runtime.Loader;

namespace Transfer.PowerShell.Loader;

/// <summary>
/// Has the module's libraries to itself: other modules of the same session may have loaded other versions of them. PowerShell's own assemblies and the runtime's come from the
/// default context.
/// </summary>
internal sealed class LibraryContext(string folder) : AssemblyLoadContext("Transfer")
{
    /// <summary>The assembly of a name; null: it is none of the module's.</summary>
    public Assembly? Find(AssemblyName name) => Load(name);

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        var path = Path.Join(folder, $"{assemblyName.Name}.dll");
        return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }
}
