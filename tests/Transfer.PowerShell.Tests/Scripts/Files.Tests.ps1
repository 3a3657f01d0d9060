BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1
    New-Item "$local/tree/below" -ItemType Directory -Force | Out-Null
    1..30 | ForEach-Object { Set-Content "$local/tree/file$_.csv" "content $_" }
    Set-Content "$local/tree/below/deep.txt" deep
    Set-Content -LiteralPath "$local/tree/odd [1] `$x.txt" odd
}

Describe 'Files over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name $_
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        Push-Location (New-Item "$local/$_" -ItemType Directory)
        Copy-Item "$local/tree" . -Recurse
    }
    AfterAll {
        Pop-Location
        Disconnect-TransferServer $server
    }

    It 'sends what a pipeline gives it, as one job' {
        $result = Get-ChildItem tree/*.csv | Send-TransferFile -Destination in/pipeline/
        $result | Should -HaveCount 1
        $result.Files | Should -Be 30
        $result.Failed | Should -Be 0
        $result.Bytes | Should -BeGreaterThan 300
        Get-Content "$there/in/pipeline/file7.csv" | Should -Be 'content 7'
    }

    It 'formats a summary as one line, and items as a table' {
        Get-ChildItem tree/file1.csv | Send-TransferFile -Destination in/format/ -Overwrite Always | Out-String | Should -Match 'Files +Bytes +Skipped +Unchanged +Deleted +Failed +Elapsed +MB/s'
        Get-ChildItem tree/file1.csv | Send-TransferFile -Destination in/format/ -Overwrite Always -PassThru | Out-String | Should -Match 'Action +Bytes +Path +Error'
    }

    It 'writes an object for each item, where it is asked to' {
        $items = Get-ChildItem tree/file1*.csv | Send-TransferFile -Destination in/items/ -PassThru
        $items | Should -HaveCount 11
        $items.Action | Sort-Object -Unique | Should -Be Transfer
        $items[0].Verified | Should -Be Size
    }

    It 'leaves files that exist, with an error for each, and sends the others' {
        Get-ChildItem tree/file1.csv | Send-TransferFile -Destination in/exists/
        $errors = Get-Errors { Get-ChildItem tree/file1.csv, tree/file2.csv | Send-TransferFile -Destination in/exists/ }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        $errors[0].TargetObject | Should -Match 'file1.csv'
        Test-TransferPath in/exists/file2.csv | Should -BeTrue
        (Get-ChildItem tree/file1.csv | Send-TransferFile -Destination in/exists/ -Overwrite Skip).Skipped | Should -Be 1
        (Get-ChildItem tree/file1.csv | Send-TransferFile -Destination in/exists/ -Overwrite Always).Files | Should -Be 1
    }

    It 'gives a file another name, and takes a folder for a folder' {
        Send-TransferFile tree/file1.csv in/named.csv
        Test-TransferPath in/named.csv | Should -BeTrue
        New-TransferFolder in/folder | Out-Null
        Send-TransferFile tree/file1.csv in/folder
        Test-TransferPath in/folder/file1.csv | Should -BeTrue
        $errors = Get-Errors { Send-TransferFile tree/file1.csv, tree/file2.csv in/other.csv }
        $errors | Should -HaveCount 1
        $errors[0].Exception.Message | Should -Match 'name of one file'
    }

    It 'sends names with brackets, spaces and dollar signs' {
        Send-TransferFile -LiteralPath 'tree/odd [1] $x.txt' -Destination in/odd/
        Get-ChildItem tree -Filter odd* | Send-TransferFile -Destination in/odd/ -Overwrite Always
        (Get-TransferEntry in/odd).Name | Should -Be 'odd [1] $x.txt'
    }

    It 'says which local file is not there, and sends the others' {
        $errors = Get-Errors { Send-TransferFile tree/none.csv, tree/file1.csv -Destination in/some/ }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be ObjectNotFound
        Test-TransferPath in/some/file1.csv | Should -BeTrue
    }

    It 'sends a folder with all that is in it, by patterns, and fetches it' {
        (Send-TransferFile tree in/).Files | Should -Be 32
        Test-TransferPath in/tree/below/deep.txt | Should -BeTrue
        (Send-TransferFile tree in/filtered/ -Include *.txt -Exclude odd*).Files | Should -Be 1
        (Receive-TransferFile in/tree -Destination ./back/).Files | Should -Be 32
        Get-Content back/tree/below/deep.txt | Should -Be deep
    }

    It 'fetches by patterns, from pipelines and under other names' {
        (Receive-TransferFile in/tree/*.csv -Destination ./pattern/).Files | Should -Be 30
        (Get-TransferEntry in/tree -Filter file2* | Receive-TransferFile -Destination ./found/).Files | Should -Be 11
        Receive-TransferFile in/tree/file3.csv -Destination ./third.csv
        Get-Content third.csv | Should -Be 'content 3'
        (Get-Errors { Receive-TransferFile in/tree/file3.csv -Destination ./third.csv })[0].CategoryInfo.Category | Should -Be ResourceExists
        (Get-Errors { Receive-TransferFile in/none })[0].CategoryInfo.Category | Should -Be ObjectNotFound
    }

    It 'makes folders alike, and says before what would be done' {
        $said = Sync-TransferFolder tree mirror -Direction Up -WhatIf *>&1
        Test-TransferPath mirror | Should -BeFalse
        (Sync-TransferFolder tree mirror -Direction Up).Files | Should -Be 32
        $again = Sync-TransferFolder tree mirror -Direction Up
        $again.Files | Should -Be 0
        $again.Unchanged | Should -Be 32
        'extra' | Set-TransferContent mirror/extra.txt
        (Compare-TransferFolder tree mirror | Where-Object Action -eq Delete).Path | Should -Be extra.txt
        (Sync-TransferFolder tree mirror -Direction Up -Delete).Deleted | Should -Be 1
        Test-TransferPath mirror/extra.txt | Should -BeFalse
        (Sync-TransferFolder fetched mirror -Direction Down).Files | Should -Be 32
    }

    It 'stops at once, and leaves nothing half' {
        $shell = [powershell]::Create().AddScript({
            param($module, $uri, $credential, $pin, $path)
            Import-Module $module
            Connect-TransferServer $uri -Credential $credential -Pin $pin | Out-Null
            1..10000 | ForEach-Object { Get-Item $path } | Send-TransferFile -Destination stopped/ -Overwrite Always
        }).AddArgument($env:TRANSFER_MODULE).AddArgument((Get-Item "env:TRANSFER_$($_.ToUpperInvariant())").Value).AddArgument($credential).AddArgument((Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_PIN").Value).AddArgument((Get-Item tree/file1.csv).FullName)
        $running = $shell.BeginInvoke()
        while (-not (Test-Path "$there/stopped") -and -not $running.IsCompleted) { Start-Sleep -Milliseconds 20 }
        $shell.Stop()
        $shell.InvocationStateInfo.State | Should -Be Stopped
        @(Get-ChildItem "$there/stopped" -Force | Where-Object Name -Match '\.part$') | Should -HaveCount 0
        $shell.Dispose()
        Get-TransferServer | Where-Object Name -NE $server.Name | Disconnect-TransferServer
    }
}

Describe 'Between servers' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'copies files and folders' {
        $ftp, $sftp = (Connect-Ftp -Name from), (Connect-Sftp -Name to)
        Send-TransferFile "$local/tree" copied/ -Server $ftp | Out-Null
        (Copy-TransferFile copied/tree/*.csv arrived/ -Server $ftp -ToServer $sftp).Files | Should -Be 30
        (Copy-TransferFile copied/tree arrived/ -Server $ftp -ToServer to).Files | Should -Be 32
        Get-TransferContent arrived/tree/below/deep.txt -Server $sftp | Should -Be deep
        (Get-Errors { Copy-TransferFile copied/tree x/ -Server $ftp -ToServer nobody })[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'makes folders alike, and says before how they differ' {
        $ftp, $sftp = (Connect-Ftp -Name from), (Connect-Sftp -Name to)
        $sides = @{ Path = 'between'; Destination = 'over/there'; Direction = 'ServerToServer'; Server = $ftp; ToServer = 'to' }
        Send-TransferFile "$local/tree" -Destination between/ -Server $ftp | Out-Null
        (Compare-TransferFolder @sides | Where-Object Type -EQ File).Action | Sort-Object -Unique | Should -Be Transfer
        Sync-TransferFolder @sides -WhatIf
        Test-TransferPath over -Server $sftp | Should -BeFalse
        (Sync-TransferFolder @sides).Files | Should -Be 32
        Get-TransferContent over/there/tree/below/deep.txt -Server $sftp | Should -Be deep
        'extra' | Set-TransferContent over/there/extra.txt -Server $sftp
        (Compare-TransferFolder @sides | Where-Object Action -EQ Delete).Path | Should -Be extra.txt
        $again = Sync-TransferFolder @sides -Delete
        $again.Unchanged, $again.Deleted | Should -Be 32, 1
        (Sync-TransferFolder over/there over/again -Direction ServerToServer -Server $sftp).Files | Should -Be 32
    }

    It 'refuses a second server that the direction has no place for, or that is none' {
        $ftp, $sftp = (Connect-Ftp -Name from), (Connect-Sftp -Name to)
        $errors = @(
            Get-Errors { Sync-TransferFolder "$local/tree" x -Direction Up -ToServer $sftp }
            Get-Errors { Compare-TransferFolder tree x -Direction ServerToServer -ToServer nobody }
            Disconnect-TransferServer $ftp
            Get-Errors { Copy-TransferFile tree x/ -Server $sftp -ToServer $ftp }
        )
        $errors.CategoryInfo.Category | Should -Be InvalidArgument, InvalidArgument, InvalidArgument
    }

    It 'connects for one command, where the server is an address' {
        Send-TransferFile "$local/tree/file1.csv" -Server "file://$($env:TRANSFER_FTP_FOLDER)/once/"
        Test-Path "$env:TRANSFER_FTP_FOLDER/once/file1.csv" | Should -BeTrue
        Get-TransferServer | Should -BeNullOrEmpty
    }
}
