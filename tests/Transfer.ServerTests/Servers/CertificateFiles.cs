namespace Transfer.ServerTests.Servers;

/// <summary>A certificate and its key on disk, in the forms that servers want.</summary>
internal sealed record CertificateFiles(string Certificate, string Key, string Both);
