using Transfer.TestSupport.Architecture;

namespace Transfer.PowerShell.Tests;

/// <summary>The rooms of the module, in the order of CONTRIBUTING.md.</summary>
[TestFixture]
internal sealed class ModuleRoomTests() : RoomFixture("Transfer.PowerShell", "src/Transfer.PowerShell", Shell.Cmdlets);
