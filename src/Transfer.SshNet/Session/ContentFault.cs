namespace Transfer.SshNet.Session;

/// <summary>The local end has failed: an exception that passed through SSH.NET and is none of the server's.</summary>
internal sealed class ContentFault(Exception reason) : Exception(reason.Message, reason);
