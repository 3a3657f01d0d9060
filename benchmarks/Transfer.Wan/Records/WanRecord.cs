using System.Text.Json.Serialization;

namespace Transfer.Wan.Records;

/// <summary>A line of a report's data: JSON lines, in the order in which they were measured.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "kind")]
[JsonDerivedType(typeof(RunStarted), "run")]
[JsonDerivedType(typeof(LinkChecked), "link")]
[JsonDerivedType(typeof(Measured), "measured")]
[JsonDerivedType(typeof(LeftOut), "leftOut")]
internal abstract record WanRecord;
