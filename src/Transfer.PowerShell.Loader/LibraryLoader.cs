using System.Management.Automation;
using System.Reflection;
using System.Runtime.Loader;

namespace Transfer.PowerShell.Loader;

/// <summary>
/// Resolves the libraries of the cmdlets, from the import to the removal of the module. An assembly apart, imported before the cmdlets:
/// PowerShell reads their types, and the types that they need, before any code of their assembly runs.
/// </summary>
public sealed class LibraryLoader : IModuleAssemblyInitializer, IModuleAssemblyCleanup
{
    // One for the process: a module that is imported again needs the types of the first import.
    private static readonly LibraryContext Context = new(Path.Join(Path.GetDirectoryName(typeof(LibraryLoader).Assembly.Location), "lib"));

    /// <inheritdoc/>
    public void OnImport() => AssemblyLoadContext.Default.Resolving += Resolve;

    /// <inheritdoc/>
    public void OnRemove(PSModuleInfo psModuleInfo) => AssemblyLoadContext.Default.Resolving -= Resolve;

    // Only for the module's own names: an answer for a shared library would be an answer for other modules too.
    private static Assembly? Resolve(AssemblyLoadContext context, AssemblyName name) =>
        name.Name?.StartsWith("Transfer.", StringComparison.Ordinal) == true ? Context.Find(name) : null;
}
