using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Transfer.TestSupport.Architecture;

/// <summary>
/// Which rooms of an assembly use which, found in its code: bases, members, what methods call and create. Constants and names leave no
/// trace there.
/// </summary>
internal static class RoomReferences
{
    /// <summary>One use of a type of another room.</summary>
    public sealed record Use(string Type, string From, string Uses, string To);

    /// <summary>Reads an assembly of which these are the sources.</summary>
    public static IReadOnlyList<Use> Of(string assembly, SourceRooms rooms)
    {
        using var module = ModuleDefinition.ReadModule(assembly);
        var uses = new HashSet<Use>();
        foreach (var type in module.Types)
        {
            if (RoomOf(type, rooms) is not { } from) continue;
            foreach (var used in TypesIn(type).Where(used => used.Scope == module || used.Module == module))
            {
                if (RoomOf(used, rooms) is { } to && to != from) uses.Add(new(type.FullName, from, Outermost(used).FullName, to));
            }
        }
        return [.. uses];
    }

    private static string? RoomOf(TypeReference type, SourceRooms rooms)
    {
        var outermost = Outermost(type);
        return rooms.Find(outermost.Name.Split('`')[0], outermost.Namespace);
    }

    private static TypeReference Outermost(TypeReference type)
    {
        while (type.DeclaringType is { } outer) type = outer;
        return type;
    }

    private static IEnumerable<TypeReference> TypesIn(TypeDefinition type)
    {
        var found = new List<TypeReference?> { type.BaseType };
        found.AddRange(type.Interfaces.Select(one => one.InterfaceType));
        found.AddRange(type.Fields.Select(field => field.FieldType));
        found.AddRange(
            type.GenericParameters.SelectMany(parameter => parameter.Constraints).Select(constraint => constraint.ConstraintType));
        foreach (var method in type.Methods) AddMethod(method, found);
        return found.OfType<TypeReference>().SelectMany(Parts).Concat(type.NestedTypes.SelectMany(TypesIn));
    }

    private static void AddMethod(MethodDefinition method, List<TypeReference?> found)
    {
        AddSignature(method, found);
        if (!method.HasBody) return;
        found.AddRange(method.Body.Variables.Select(variable => variable.VariableType));
        found.AddRange(
            method.Body.ExceptionHandlers.Where(handler => handler.HandlerType == ExceptionHandlerType.Catch)
                .Select(handler => handler.CatchType));
        foreach (var operand in method.Body.Instructions.Select(instruction => instruction.Operand))
        {
            switch (operand)
            {
                case TypeReference named:
                    found.Add(named);
                    break;
                case FieldReference field:
                    found.Add(field.DeclaringType);
                    found.Add(field.FieldType);
                    break;
                case MethodReference called:
                    found.Add(called.DeclaringType);
                    AddSignature(called, found);
                    if (called is GenericInstanceMethod generic) found.AddRange(generic.GenericArguments);
                    break;
            }
        }
    }

    private static void AddSignature(MethodReference method, List<TypeReference?> found)
    {
        found.Add(method.ReturnType);
        found.AddRange(method.Parameters.Select(parameter => parameter.ParameterType));
    }

    // Of List<Foo[]>: List, and Foo.
    private static IEnumerable<TypeReference> Parts(TypeReference type) => type switch
    {
        GenericInstanceType generic => generic.GenericArguments.SelectMany(Parts).Append(generic.ElementType),
        GenericParameter => [],
        IModifierType modified => Parts(modified.ElementType),
        TypeSpecification wrapped => Parts(wrapped.ElementType),
        _ => [type],
    };
}
