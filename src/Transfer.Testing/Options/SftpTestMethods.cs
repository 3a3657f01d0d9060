namespace Transfer.Testing;

/// <summary>Ways to log in to an <see cref="SftpTestServer"/> (RFC 4252, RFC 4256).</summary>
[Flags]
public enum SftpTestMethods
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary><c>password</c>.</summary>
    Password = 1,

    /// <summary><c>publickey</c>.</summary>
    PublicKey = 2,

    /// <summary><c>keyboard-interactive</c>.</summary>
    KeyboardInteractive = 4,

    /// <summary>Every one.</summary>
    All = Password | PublicKey | KeyboardInteractive,
}
