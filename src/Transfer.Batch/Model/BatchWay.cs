namespace Transfer;

/// <summary>How a directory travelled.</summary>
public enum BatchWay
{
    /// <summary>File by file.</summary>
    Files,

    /// <summary>By the server's own <c>tar</c>.</summary>
    Tar,

    /// <summary>By <c>transfer receive</c>, which is installed at the server.</summary>
    Transfer,
}
