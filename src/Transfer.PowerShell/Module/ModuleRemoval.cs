using System.Management.Automation;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Module;

/// <summary>
/// Closes servers when a runspace removes the module: those that the runspace has connected, and not those of others, which may work at
/// theirs.
/// </summary>
public sealed class ModuleRemoval : IModuleAssemblyCleanup
{
    /// <inheritdoc/>
    public void OnRemove(PSModuleInfo psModuleInfo) => ServerBoard.CloseOwnAsync().GetAwaiter().GetResult();
}
