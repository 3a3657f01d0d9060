namespace Transfer.PowerShell.Clients;

/// <summary>Questions that are asked together.</summary>
/// <param name="Caption">Who asks whom, and why.</param>
/// <param name="Prompts">The questions; those with <c>Echo</c> false are answered unseen.</param>
public sealed record ClientQuestion(string Caption, IReadOnlyList<(string Text, bool Echo)> Prompts);
