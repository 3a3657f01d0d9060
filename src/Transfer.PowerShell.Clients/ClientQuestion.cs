namespace Transfer.PowerShell.Clients;

/// <summary>Questions that are shown together.</summary>
/// <param name="Caption">The origin of the questions, and their reason.</param>
/// <param name="Prompts">The questions; those with <c>Echo</c> false are answered unseen.</param>
public sealed record ClientQuestion(string Caption, IReadOnlyList<(string Text, bool Echo)> Prompts);
