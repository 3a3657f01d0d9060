namespace Transfer.Sftp;

/// <summary>Whether keys are asked of an ssh-agent.</summary>
public enum SshAgentUse
{
    /// <summary>When there is one; its absence and its failures end in the log.</summary>
    IfPresent,

    /// <summary>Never.</summary>
    Never,

    /// <summary>Always: without an agent that answers, the log-in fails.</summary>
    Required,
}
