namespace Transfer.Testing;

/// <summary>A question of <c>keyboard-interactive</c> (RFC 4256 section 3.2).</summary>
/// <param name="Text">The prompt, such as <c>Code: </c>.</param>
/// <param name="Answer">The right answer; null: the user's password.</param>
/// <param name="Echo">Whether the answer may be shown during typing.</param>
public sealed record SftpTestQuestion(string Text, string? Answer = null, bool Echo = false);
