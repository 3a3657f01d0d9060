namespace Transfer.Contents;

/// <summary>The hash of the bytes moved.</summary>
/// <param name="Algorithm">One of <see cref="FileHash.Algorithms"/>.</param>
/// <param name="Digits">In lower-case hex.</param>
/// <param name="End">The offset behind the last byte hashed.</param>
internal sealed record ContentHash(string Algorithm, string Digits, long End);
