namespace Transfer.Contents;

/// <summary>The hash of what was moved.</summary>
/// <param name="Algorithm">One of <see cref="FileHash.Algorithms"/>.</param>
/// <param name="Digits">In lower-case hex.</param>
/// <param name="End">The byte after the last that was hashed.</param>
internal sealed record ContentHash(string Algorithm, string Digits, long End);
