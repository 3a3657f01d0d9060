namespace Transfer.ServerTests.Servers;

/// <summary>A question of <see cref="OneTimeCodeServer"/>; the right answer is the <c>password</c> or a <c>code</c>.</summary>
internal sealed record Question(string Prompt, bool Echo, string Answer);
