using System.Management.Automation;
using System.Reflection;
using System.Runtime.Loader;

namespace Transfer.CmdletHelp;

/// <summary>A cmdlet of an assembly.</summary>
/// <param name="Type">Its class.</param>
/// <param name="Attribute">Its names.</param>
internal sealed record CmdletType(Type Type, CmdletAttribute Attribute)
{
    /// <summary>Verb and noun.</summary>
    public string Name => $"{Attribute.VerbName}-{Attribute.NounName}";

    /// <summary>Its parameters, with those of its bases, in the order of their names.</summary>
    public IEnumerable<PropertyInfo> Parameters =>
        Type.GetProperties().Where(property => property.GetCustomAttributes<ParameterAttribute>().Any()).OrderBy(property => property.Name,
            StringComparer.Ordinal);

    /// <summary>The types of what it writes.</summary>
    public IEnumerable<Type> Outputs =>
        Type.GetCustomAttributes<OutputTypeAttribute>().SelectMany(output => output.Type).Select(name => name.Type);

    /// <summary>The cmdlets of an assembly, whose libraries are beside it.</summary>
    public static IEnumerable<CmdletType> In(string path)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        AssemblyLoadContext.Default.Resolving += (context, name) =>
            Path.Join(folder, $"{name.Name}.dll") is var library && File.Exists(library) ? context.LoadFromAssemblyPath(library) : null;
        return from type in AssemblyLoadContext.Default.LoadFromAssemblyPath(Path.GetFullPath(path)).GetExportedTypes()
               let attribute = type.GetCustomAttribute<CmdletAttribute>()
               where attribute is not null
               select new CmdletType(type, attribute);
    }
}
