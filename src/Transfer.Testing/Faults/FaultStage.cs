namespace Transfer.Testing.Faults;

/// <summary>When a fault takes part in a command. One rule of each stage strikes a command.</summary>
internal enum FaultStage
{
    Delay,
    Command,
    Data,
    Final,
    Size,
}
