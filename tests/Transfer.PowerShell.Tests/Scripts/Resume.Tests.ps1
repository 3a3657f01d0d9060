BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1
    $env:XDG_STATE_HOME = Join-Path $local states
    function Get-Journals { @(Get-ChildItem "$env:XDG_STATE_HOME/transfer" -Recurse -Filter *.journal -ErrorAction Ignore) }
}

Describe 'With -Resume over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name $_
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        Push-Location (New-Item "$local/resume-$_" -ItemType Directory)
        New-Item tree -ItemType Directory | Out-Null
        1..30 | ForEach-Object { Set-Content "tree/file$_.csv" "content $_" }
    }
    AfterAll {
        Pop-Location
        Disconnect-TransferServer $server
    }
    AfterEach { Get-Journals | Should -HaveCount 0 -Because 'a command that has ended keeps none' }

    # One file cannot be moved, since another has its name: the command fails, and is run again when that one has gone.
    It 'moves what has not arrived: <Name>' -ForEach @(
        @{ Name = 'Send- of files'; Stands = 'piped/file7.csv'; Command = { Get-Item tree/*.csv | Send-TransferFile -Dest piped/ -Resume } }
        @{ Name = 'Send- of a folder'; Stands = 'sent/tree/file7.csv'; Command = { Send-TransferFile tree sent/ -Resume } }
        @{ Name = 'Receive- by a pattern'; Stands = './got/file7.csv'; Command = { Receive-TransferFile sent/tree/*.csv ./got/ -Resume } }
        @{ Name = 'Receive- of a folder'; Stands = './back/tree/file7.csv'; Command = { Receive-TransferFile sent/tree ./back/ -Resume } }
        @{ Name = 'Copy- of a folder'; Stands = 'copied/tree/file7.csv'; Command = { Copy-TransferFile sent/tree copied/ -Resume } }
    ) {
        $path = if ($Stands[0] -eq '.') { $Stands } else { "$there/$Stands" }
        New-Item $path -ItemType File -Value other -Force | Out-Null
        $errors = Get-Errors { & $Command }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be ResourceExists
        Get-Journals | Should -HaveCount 1
        Remove-Item $path
        $again = & $Command
        $again.Failed | Should -Be 0
        $again.Files | Should -Be 1
        Get-Content $path | Should -Be 'content 7'
    }

    It 'goes on where a pipeline was stopped' {
        $name = "env:TRANSFER_$($_.ToUpperInvariant())"
        $address, $pin = (Get-Item $name).Value, (Get-Item "${name}_PIN").Value
        $shell = [powershell]::Create().AddScript({
            param($module, $address, $credential, $pin, $folder)
            Import-Module $module
            Connect-TransferServer $address -Credential $credential -Pin $pin -Name stopped | Out-Null
            & { Get-ChildItem $folder/file1*.csv; while ($true) { Start-Sleep -Milliseconds 20 } } |
                Send-TransferFile -Destination stopped/ -Resume
        })
        $env:TRANSFER_MODULE, $address, $credential, $pin, (Get-Item tree).FullName | ForEach-Object { $null = $shell.AddArgument($_) }
        $running = $shell.BeginInvoke()
        function Get-Arrived { @(Get-ChildItem "$there/stopped" -Filter file*.csv -ErrorAction Ignore) }
        while ((Get-Arrived).Count -lt 11 -and -not $running.IsCompleted) { Start-Sleep -Milliseconds 20 }
        $hasEnded, $errors = $running.IsCompleted, $shell.Streams.Error.ReadAll()
        $shell.Stop()
        $shell.Dispose()
        $errors | Should -BeNullOrEmpty
        $hasEnded | Should -BeFalse
        Disconnect-TransferServer stopped
        Get-Journals | Should -HaveCount 1
        $again = Get-ChildItem tree/*.csv | Send-TransferFile -Destination stopped/ -Resume
        $again.Failed | Should -Be 0
        $again.Files | Should -Be 19
        Get-ChildItem "$there/stopped" | Should -HaveCount 30
    }

    It 'goes on where a pipeline failed' {
        function Get-Arrived { @(Get-ChildItem "$there/failed" -Filter file*.csv -ErrorAction Ignore) }
        {
            & {
                Get-ChildItem tree/file1*.csv
                while ((Get-Arrived).Count -lt 11) { Start-Sleep -Milliseconds 20 }
                throw 'no more'
            } | Send-TransferFile -Destination failed/ -Resume
        } | Should -Throw 'no more'
        Get-Journals | Should -HaveCount 1
        $again = Get-ChildItem tree/*.csv | Send-TransferFile -Destination failed/ -Resume
        $again.Failed | Should -Be 0
        $again.Files | Should -Be 19
    }

    It 'makes folders alike' {
        (Sync-TransferFolder tree synced -Direction Up -Resume).Files | Should -Be 30
    }
}

Describe '-Resume' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'says where there can be no journal' {
        Connect-Sftp | Out-Null
        $file = New-Item "$local/one.txt" -Value one
        $env:XDG_STATE_HOME = $file.FullName
        $errors = Get-Errors { $file | Send-TransferFile -Destination no-journal/ -Resume }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.*'
        Test-TransferPath no-journal | Should -BeFalse
    }
}
