using System.Management.Automation;
using System.Reflection;
using System.Runtime.Loader;

namespace Transfer.PowerShell.Loader;

/// <summary>
/// Answers where the libraries of the cmdlets are, from the import of the module to its removal. An assembly of its own, which is imported before the cmdlets: PowerShell reads their
/// types, and with them what these need, before it calls anything in their assembly.
/// </summary>
public sealed class LibraryLoader : IModuleAssemblyInitializer, IModuleAssemblyCleanup
{
    // Once a process: a module that is imported again finds the types that it had.
    private static readonly LibraryContext Context = new(Path.Join(Path.GetDirectoryName(typeof(LibraryLoader).Assembly.Location), "lib"));

    /// <inheritdoc/>
    public void OnImport() => AssemblyLoadContext.Default.Resolving += Resolve;

    /// <inheritdoc/>
    public void OnRemove(PSModuleInfo psModuleInfo) => AssemblyLoadContext.Default.Resolving -= Resolve;

    // Only for the module's own names: an answer for a library that others have too would be an answer for them.
    private static Assembly? Resolve(AssemblyLoadContext context, AssemblyName name) =>
        name.Name?.StartsWith("Transfer.", StringComparison.Ordinal) == true ? Context.Find(name) : null;
}
