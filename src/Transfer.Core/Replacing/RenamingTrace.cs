namespace Transfer.Replacing;

/// <summary>The paths to which lost sessions may have moved the files of a <see cref="Renaming"/>.</summary>
/// <param name="Aside">The path of the old file aside; null: not moved.</param>
/// <param name="Third">The path of the source between two names that differ in case only; null: not moved there.</param>
/// <param name="Second">The second temporary path of the source; null: not moved there.</param>
public readonly record struct RenamingTrace(string? Aside, string? Third, string? Second);
