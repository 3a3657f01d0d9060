namespace WebDavProvider;

/// <summary>The local end of an upload has failed.</summary>
internal sealed class ContentFault(Exception reason) : IOException(reason.Message, reason);
