namespace Transfer.Benchmarks.Servers;

/// <summary>A suite that runs only where the test servers are installed.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class NeedsServerAttribute : Attribute;
