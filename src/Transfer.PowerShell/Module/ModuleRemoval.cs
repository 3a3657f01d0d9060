using System.Management.Automation;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Module;

/// <summary>Closes all servers when the module is removed.</summary>
public sealed class ModuleRemoval : IModuleAssemblyCleanup
{
    /// <inheritdoc/>
    public void OnRemove(PSModuleInfo psModuleInfo) => ServerBoard.CloseAllAsync().GetAwaiter().GetResult();
}
