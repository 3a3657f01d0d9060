namespace Transfer.Sftp;

/// <summary>Whether an ssh-agent's keys are used.</summary>
public enum SshAgentUse
{
    /// <summary>When there is an agent; absence and failures end in the log.</summary>
    IfPresent,

    /// <summary>Never.</summary>
    Never,

    /// <summary>Always: without an agent that answers, the log-in fails.</summary>
    Required,
}
