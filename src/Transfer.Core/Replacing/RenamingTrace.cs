namespace Transfer.Replacing;

/// <summary>Where lost sessions may have moved the files of a <see cref="Renaming"/> on their way.</summary>
/// <param name="Aside">The path that the old file has aside; null: none was moved.</param>
/// <param name="Third">The path that the source has between two names that differ in case only; null: it was not moved there.</param>
/// <param name="Second">The second temporary path of the source; null: it was not moved there.</param>
public readonly record struct RenamingTrace(string? Aside, string? Third, string? Second);
