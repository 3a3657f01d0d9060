using System.Collections;
using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>
/// Refuses objects where the text of a path of a server is wanted: as text, an entry is its name alone, in another folder and at another
/// server.
/// </summary>
internal sealed class PathTextAttribute : ArgumentTransformationAttribute
{
    public override object Transform(EngineIntrinsics engineIntrinsics, object inputData)
    {
        Check(inputData);
        return inputData;
    }

    private static void Check(object? given)
    {
        var item = given is PSObject wrapped ? wrapped.BaseObject : given;
        if (item is RemoteEntry or TransferDriveItem or FileSystemInfo)
        {
            var reason = $"'{item}' is an object, and -Path takes text: give it by the pipeline, or in place of the paths.";
            // With this cause, PowerShell tries the other parameters that take the object of a pipeline.
            throw new ArgumentTransformationMetadataException(reason, new PSInvalidCastException(reason));
        }
        if (item is not IEnumerable some || item is string) return;
        foreach (var one in some) Check(one);
    }
}
