using System.Runtime.Versioning;

// The servers are Debian's.
[assembly: SupportedOSPlatform("linux")]
