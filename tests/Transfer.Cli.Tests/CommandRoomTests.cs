using Transfer.TestSupport.Architecture;

namespace Transfer.Cli.Tests;

/// <summary>The rooms of the command, in the order of CONTRIBUTING.md.</summary>
[TestFixture]
internal sealed class CommandRoomTests() : RoomFixture("Transfer.Cli", "samples/Transfer.Cli", typeof(CommandLine).Assembly.Location);
