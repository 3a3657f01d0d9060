namespace Transfer.Engine.Sync;

/// <summary>A file that both sides have under one name.</summary>
internal readonly record struct SyncPair(TreeEntry Source, TreeEntry Target);
