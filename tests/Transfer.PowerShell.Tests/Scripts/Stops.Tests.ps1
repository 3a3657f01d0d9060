# Ctrl-C in the midst of each command that takes time: it ends at once, with nothing half left, and its server can be used.
# What is stopped is endless, so that a test cannot be too late for it.
BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1
    . $PSScriptRoot/Endless.ps1
}

Describe 'Over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name ending
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        $null = New-Item "$there/given/deep", "$there/gone" -ItemType Directory
        'given', 'gone' | ForEach-Object { Copy-Item "$many/*" "$there/$_" }
        [System.IO.File]::WriteAllBytes("$there/large.bin", [byte[]]::new(8MB))
        [System.IO.File]::WriteAllText("$there/long.txt", "line`n" * 1MB)
    }
    AfterAll { Get-TransferServer | Disconnect-TransferServer }

    It 'ends <Name> at once where the pipeline is stopped' -ForEach @(
        @{ Name = 'Get-TransferEntry'; Block = { while ($true) { Get-TransferEntry given -Recurse -Server $server } } }
        @{ Name = 'Get-TransferContent'; Block = { while ($true) { Get-TransferContent long.txt -Server $server } } }
        @{ Name = 'Get-TransferContent -AsByteStream'; Block = {
            while ($true) { Get-TransferContent large.bin -AsByteStream -Server $server } } }
        @{ Name = 'Get-TransferFileHash'; Block = { while ($true) { Get-TransferFileHash large.bin -Algorithm SHA384 -Server $server } } }
        @{ Name = 'Set-TransferContent'; Block = { & { while ($true) { 'x' * 1000 } } | Set-TransferContent endless.txt -Server $server }
            Begun = { Get-ChildItem $there -Filter *.part -Force } }
        @{ Name = 'Send-TransferFile'; Block = {
            & { while ($true) { Get-ChildItem $many } } |
                Send-TransferFile -Destination sent/ -Overwrite Always -PassThru -Server $server } }
        @{ Name = 'Send-TransferFile of folders'; Block = {
            & { while ($true) { Get-Item $many } } | Send-TransferFile -Destination folders/ -Overwrite Always -PassThru -Server $server } }
        @{ Name = 'Receive-TransferFile'; Block = {
            & { while ($true) { Get-TransferEntry given -File -Server $server } } |
                Receive-TransferFile -Destination "$many-got/" -Overwrite Always -PassThru -Server $server } }
        @{ Name = 'Copy-TransferFile'; Block = {
            & { while ($true) { Get-TransferEntry given -File -Server $server } } |
                Copy-TransferFile -Destination copies/ -Overwrite Always -PassThru -Server $server } }
        @{ Name = 'Remove-TransferEntry'; Block = {
            & { Get-TransferEntry gone -Server $server; while ($true) { 'gone/none*' } } | Remove-TransferEntry -Server $server }
            Begun = { @(Get-ChildItem "$there/gone").Count -lt 300 } }
        @{ Name = 'Sync-TransferFolder'; Block = {
            for ($n = 0; $true; $n++) { Sync-TransferFolder $many "mirrors/$n" -Direction Up -PassThru -Server $server } } }
        @{ Name = 'Compare-TransferFolder'; Block = { while ($true) { Compare-TransferFolder $many given -Server $server } } }
    ) {
        $beside = Start-Block $Block
        Wait-Until { $beside.Running.IsCompleted -or ($Begun ? (& $Begun) : $beside.Output.Count -gt 0) }
        Stop-Beside $beside
        $beside.Shell.InvocationStateInfo.State | Should -Be Stopped
        $beside.Shell.Streams.Error | Should -BeNullOrEmpty
        Assert-Nothing $server
    }
}
