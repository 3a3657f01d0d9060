# How commands end before they are done, beside Ctrl-C (Stops.Tests.ps1): with enough taken of them, with their server closed, or
# stopped without an answer. What is ended is endless, so that a test cannot be too late for it.
BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1
    Add-Type -Path $PSScriptRoot/ConnectProxy.cs
    . $PSScriptRoot/Endless.ps1
}

Describe 'Over <_>' -ForEach $protocols {
    BeforeAll {
        $protocol = $_
        $null = & "Connect-$_" -Name ending
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        $null = New-Item "$there/given/deep" -ItemType Directory
        Copy-Item "$many/*" "$there/given"
        [System.IO.File]::WriteAllBytes("$there/large.bin", [byte[]]::new(8MB))
        [System.IO.File]::WriteAllText("$there/long.txt", "line`n" * 1MB)
    }
    BeforeEach { $server = Get-TransferServer ending }
    AfterAll { Get-TransferServer | Disconnect-TransferServer }

    It 'ends <Name> where no more of it is wanted' -ForEach @(
        @{ Name = 'Get-TransferEntry'; Block = { Get-TransferEntry given } }
        @{ Name = 'Get-TransferContent'; Block = { Get-TransferContent long.txt } }
        @{ Name = 'Get-TransferContent -AsByteStream'; Block = { Get-TransferContent large.bin -AsByteStream } }
        @{ Name = 'Get-TransferFileHash'; Block = { & { while ($true) { 'large.bin' } } | Get-TransferFileHash } }
        @{ Name = 'Send-TransferFile'; Block = {
            & { while ($true) { Get-ChildItem $many } } | Send-TransferFile -Destination first/ -Overwrite Always -PassThru } }
        @{ Name = 'Receive-TransferFile'; Block = {
            & { while ($true) { Get-TransferEntry given -File } } |
                Receive-TransferFile -Destination "$many-first/" -Overwrite Always -PassThru } }
        @{ Name = 'Copy-TransferFile'; Block = {
            & { while ($true) { Get-TransferEntry given -File } } | Copy-TransferFile -Destination firsts/ -Overwrite Always -PassThru } }
        @{ Name = 'Sync-TransferFolder'; Block = { Sync-TransferFolder $many first-mirror -Direction Up -PassThru } }
        @{ Name = 'Compare-TransferFolder'; Block = { Compare-TransferFolder $many none } }
    ) {
        & $Block | Select-Object -First 2 | Should -HaveCount 2
        Assert-Nothing $server
    }

    It 'ends the jobs of many folders at once where no more of them is wanted' {
        1..20 | ForEach-Object {
            $null = New-Item "$local/folders-$protocol/$_" -ItemType Directory
            Copy-Item "$many/1*.txt" "$local/folders-$protocol/$_"
        }
        Get-ChildItem "$local/folders-$protocol" | Send-TransferFile -Destination folders/ -PassThru | Select-Object -First 1 |
            Should -HaveCount 1
        Assert-Nothing $server
    }

    It 'ends <Name> that is stopped while the server does not answer' -ForEach @(
        @{ Name = 'a listing'; Block = { while ($true) { Get-TransferEntry given -Server $server } } }
        @{ Name = 'a job'; Block = {
            & { while ($true) { Get-ChildItem $many } } |
                Send-TransferFile -Destination stalled/ -Overwrite Always -PassThru -Server $server } }
        @{ Name = 'a content'; Block = { while ($true) { Get-TransferContent large.bin -AsByteStream -Server $server } } }
    ) {
        $proxy = [ConnectProxy]::new()
        $server = & "Connect-$protocol" -Name stalled -Proxy "http://127.0.0.1:$($proxy.Port)" -IdleTimeout 1:0:0
        $beside = Start-Block $Block
        Wait-Beginning $beside
        $proxy.Stall()
        Stop-Beside $beside
        $beside.Shell.InvocationStateInfo.State | Should -Be Stopped
        Disconnect-TransferServer $server
        $proxy.Dispose()
        # No word of the file that was on its way has reached the server.
        Get-ChildItem "$there/stalled" -Filter *.part -Force -ErrorAction Ignore | Remove-Item -Force
    }

    It 'ends a job with the server that is closed <Name>' -ForEach @(
        @{ Name = 'from another runspace'; End = { Disconnect-TransferServer closed } }
        @{ Name = 'by the job''s own pipeline'; Within = { Disconnect-TransferServer closed } }
    ) {
        $closed = & "Connect-$protocol" -Name closed
        $beside = Start-Beside {
            param($server, $many, $within)
            $within = [scriptblock]::Create($within)
            & { while ($true) { Get-ChildItem $many } } |
                Send-TransferFile -Destination closed/ -Overwrite Always -PassThru -Server $server | ForEach-Object {
                    $_
                    if ("$within") { & $within; $within = $null }
                }
        } $closed $many "$Within"
        Wait-Beginning $beside
        if ($End) {
            $other = Start-Beside $End
            Wait-Until { $other.Running.IsCompleted }
        }
        Wait-Until { $beside.Running.IsCompleted }
        $errors = @($beside.Shell.Streams.Error) + @($beside.Shell.InvocationStateInfo.Reason.ErrorRecord | Where-Object { $_ })
        $errors | Should -Not -BeNullOrEmpty
        $errors.FullyQualifiedErrorId | Should -BeLike 'Transfer.Lost,*'
        $closed.IsClosed | Should -BeTrue
        Assert-Nothing $server
    }
}

Describe 'At a host that accepts a connection and says nothing' {
    BeforeAll {
        $silent = [System.Net.Sockets.TcpListener]::new([ipaddress]::Loopback, 0)
        $silent.Start()
        $port = $silent.LocalEndpoint.Port
    }
    AfterAll { $silent.Dispose() }

    It 'ends <Name> that is stopped' -ForEach @(
        @{ Name = 'Connect-TransferServer by SFTP'; Block = { Connect-TransferServer "sftp://me@127.0.0.1:$port" -AcceptNewHostKey } }
        @{ Name = 'Connect-TransferServer by FTP'; Block = { Connect-TransferServer "ftp://127.0.0.1:$port" } }
        @{ Name = 'Test-TransferServer'; Block = { Test-TransferServer -Server "ftp://127.0.0.1:$port" } }
        @{ Name = 'Get-TransferHostKey'; Block = { Get-TransferHostKey 127.0.0.1 -Port $port } }
        @{ Name = 'a command at a URI'; Block = { Get-TransferEntry -Server "ftp://127.0.0.1:$port" } }
    ) {
        $beside = Start-Beside ([scriptblock]::Create("param(`$port)`n$Block")) $port
        Wait-Until { $silent.Pending() }
        $accepted = $silent.AcceptTcpClient()
        Stop-Beside $beside
        $beside.Shell.InvocationStateInfo.State | Should -Be Stopped
        # The connection ends with the command, by an end or a reset.
        $ended = $accepted.GetStream().CopyToAsync([System.IO.Stream]::Null)
        Wait-Until { $ended.IsCompleted }
        $accepted.Dispose()
        while ($silent.Pending()) { $silent.AcceptTcpClient().Dispose() }
    }
}
