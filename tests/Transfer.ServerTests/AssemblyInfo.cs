using System.Runtime.Versioning;

// The servers are Debian's.
[assembly: SupportedOSPlatform("linux")]

// Fixtures that mostly wait for their servers say that they may run beside others, each with servers of its own: ProFTPD needs 0.4 s for
// the log-in behind the end of another session, Pure-FTPd some seconds to refuse one. Fixtures that measure, count or time, or take
// gigabytes, run alone.
[assembly: LevelOfParallelism(4)]
