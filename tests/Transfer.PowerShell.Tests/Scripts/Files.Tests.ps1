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

    It 'counts each error in the summary, also of an item that no job had' {
        $null = New-Item "$there/counted/d" -ItemType Directory -Force
        'one.txt', 'd/one.txt' | ForEach-Object { Set-Content "$there/counted/$_" x }
        $null = New-Item counted/d -ItemType Directory -Force
        'one.txt', 'd/one.txt' | ForEach-Object { Set-Content "counted/$_" x }
        foreach ($command in { 'counted/one.txt', 'counted/d/one.txt', 'counted/none' | Send-TransferFile -Destination counted/sent/ },
            { 'counted/one.txt', 'counted/d/one.txt', 'counted/none' | Receive-TransferFile -Destination ./counted/got/ },
            { 'counted/one.txt', 'counted/d/one.txt', 'counted/none' | Copy-TransferFile -Destination counted/copied/ }) {
            $errors = Get-Errors { $script:result = & $command }
            $errors | Should -HaveCount 2 -Because "$command"
            $script:result.Files, $script:result.Failed | Should -Be 1, 2 -Because "$command"
        }
        # Where nothing was begun, too: a script ends by the summary.
        foreach ($command in { Send-TransferFile -LiteralPath counted/none }, { Receive-TransferFile counted/none },
            { Copy-TransferFile counted/none copy }, { Copy-TransferFile counted/one.txt counted/d/one.txt }) {
            Get-Errors { $script:result = & $command } | Should -HaveCount 1 -Because "$command"
            $script:result.Files, $script:result.Failed | Should -Be 0, 1 -Because "$command"
        }
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
        $items[0].Hash, $items[0].HashAlgorithm | Should -Be $null, $null
        $hashed = Send-TransferFile tree/file1.csv in/items/ -Overwrite Always -Verify Hash -PassThru
        $hashed.Verified | Should -Be Hash
        $hashed.Hash | Should -BeExactly (Get-FileHash tree/file1.csv -Algorithm $hashed.HashAlgorithm).Hash
    }

    It 'writes an object also for an item that failed before anything moved' {
        foreach ($items in
            (Send-TransferFile -LiteralPath tree/file1.csv, none.csv in/passed/ -Overwrite Always -PassThru -ErrorAction SilentlyContinue),
            (Receive-TransferFile in/passed/file1.csv, in/passed/none.csv passed/ -Overwrite Always -PassThru -ErrorAction SilentlyContinue)) {
            $items | Should -HaveCount 2
            $failed = $items | Where-Object Error
            $failed.Path | Should -Match 'none.csv$'
            $failed.Action, $failed.Bytes | Should -Be Transfer, 0
            $failed.Error | Should -Match 'does not exist'
        }
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

    It 'removes what it has sent, and leaves what it has not' {
        Copy-Item tree away -Recurse
        Send-TransferFile away/file1.csv in/taken/ | Out-Null
        $errors = Get-Errors { Get-ChildItem away/file1.csv, away/file2.csv | Send-TransferFile -Destination in/taken/ -RemoveSource }
        $errors | Should -HaveCount 1
        Test-Path away/file1.csv, away/file2.csv | Should -Be $true, $false
        (Send-TransferFile away in/whole/ -RemoveSource).Files | Should -Be 31
        Get-ChildItem away -Recurse -File | Should -BeNullOrEmpty
        Test-TransferPath in/whole/away/below/deep.txt | Should -BeTrue
    }

    It 'moves what it has fetched to a folder at the server, and what it has sent to one here' {
        Copy-Item tree/file1.csv, tree/file2.csv (New-Item box -ItemType Directory)
        (Get-ChildItem box -File | Send-TransferFile -Destination in/box/ -MoveSourceTo sent).Files | Should -Be 2
        Get-ChildItem box -File | Should -BeNullOrEmpty
        (Get-ChildItem box/sent).Name | Sort-Object | Should -Be file1.csv, file2.csv
        (Get-TransferEntry in/box -File | Receive-TransferFile -Destination ./archived/ -MoveSourceTo done).Files | Should -Be 2
        Get-Content archived/file2.csv | Should -Be 'content 2'
        Get-TransferEntry in/box -File | Should -BeNullOrEmpty
        (Get-TransferEntry in/box/done).Name | Sort-Object | Should -Be file1.csv, file2.csv
        Copy-TransferFile in/box/done/file1.csv in/copied/ -RemoveSource | Out-Null
        Test-TransferPath in/box/done/file1.csv | Should -BeFalse
        Test-TransferPath in/copied/file1.csv | Should -BeTrue
        Copy-TransferFile in/box/done/file2.csv in/copied/ -MoveSourceTo copied | Out-Null
        Test-TransferPath in/box/done/file2.csv | Should -BeFalse
        Test-TransferPath in/box/done/copied/file2.csv | Should -BeTrue
    }

    It 'refuses two ways with a source, and links in their place' {
        { Send-TransferFile tree in/ -RemoveSource -MoveSourceTo sent } | Should -Throw '*contradict each other*'
        { Receive-TransferFile in ./x/ -RemoveSource -Links Follow } | Should -Throw '*a link is not the file*'
        Send-TransferFile tree/file1.csv in/planned/ -RemoveSource -WhatIf
        Test-Path tree/file1.csv | Should -BeTrue
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
        # Files that are given, by their names.
        (Get-ChildItem tree -File | Send-TransferFile -Destination in/named/ -Include *.csv -Exclude file1*).Files | Should -Be 19
        (Get-TransferEntry in/tree -File | Receive-TransferFile -Destination ./named/ -Include odd*).Files | Should -Be 1
        (Get-TransferEntry in/tree -File | Copy-TransferFile -Destination in/named2/ -Exclude *.csv).Files | Should -Be 1
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

    It 'follows a folder until enough has come, and keeps or removes the sources' {
        New-Item outbox/below -ItemType Directory | Out-Null
        'one' > outbox/one.txt
        'two' > outbox/below/two.txt
        'not this' > outbox/three.part
        $quick = @{ Direction = 'Up'; Settle = '00:00:00.2'; Interval = '00:00:00.5' }
        Watch-TransferFolder outbox in/watched @quick -WhatIf | Should -BeNullOrEmpty
        $sent = Watch-TransferFolder outbox in/watched @quick -Exclude *.part -RemoveSource -Verify Hash -Sessions 2 |
            Select-Object -First 2
        $sent.Path | Sort-Object | Should -Be 'below/two.txt', 'one.txt'
        Get-TransferContent in/watched/below/two.txt | Should -Be two
        'three' > outbox/four.txt
        'done' > outbox/four.txt.done
        $triggered = Watch-TransferFolder outbox in/watched @quick -Trigger .done -MoveSourceTo kept -Include *.txt -Compare Size -PassThru |
            Select-Object -First 1
        $triggered.Path | Should -Be four.txt
        (Get-Errors { Watch-TransferFolder outbox in/watched @quick -RemoveSource -MoveSourceTo kept })[0].CategoryInfo.Category |
            Should -Be InvalidArgument
        (Get-Errors { Watch-TransferFolder outbox in/watched @quick -Links Follow })[0].CategoryInfo.Category | Should -Be InvalidArgument
        $fetched = Watch-TransferFolder arrived in/watched -Direction Down -Settle 00:00:00.2 -Resume | Select-Object -First 3
        $fetched.Path | Sort-Object | Should -Be 'below/two.txt', 'four.txt', 'one.txt'
    }

    It 'makes folders alike, and says before what would be done' {
        Sync-TransferFolder tree mirror -Direction Up -WhatIf -PassThru | Where-Object Type -EQ File | Should -HaveCount 32
        Test-TransferPath mirror | Should -BeFalse
        (Sync-TransferFolder tree mirror -Direction Up).Files | Should -Be 32
        $again = Sync-TransferFolder tree mirror -Direction Up
        $again.Files | Should -Be 0
        $again.Unchanged | Should -Be 32
        'extra' | Set-TransferContent mirror/extra.txt
        (Compare-TransferFolder tree mirror | Where-Object Action -eq Delete).Path | Should -Be extra.txt
        (Sync-TransferFolder tree mirror -Direction Up -Delete -Confirm:$false).Deleted | Should -Be 1
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

    # Last: the current server is another one then.
    It 'takes / for the root of the server, not for the folder that paths start from' {
        $null = New-Item "$there/start" -ItemType Directory
        $uri = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())").Value.TrimEnd('/') + '/start'
        $pin = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_PIN").Value
        $below = Connect-TransferServer $uri -Credential $credential -Pin $pin -Name below
        try {
            'sent', 'moved', 'copied' | ForEach-Object { Set-Content "root-$_.txt" $_; Set-Content "$there/start/root-$_.txt" $_ }
            $null = Send-TransferFile root-sent.txt -Destination / -Server $below
            $null = Copy-TransferFile root-copied.txt -Destination / -Server $below -ToServer $below
            Move-TransferEntry root-moved.txt -Destination // -Server $below
            'sent', 'moved', 'copied' | ForEach-Object { Get-Content "$there/root-$_.txt" | Should -Be $_ }
            "$there/start/root-moved.txt" | Should -Not -Exist
        }
        finally { Disconnect-TransferServer $below }
    }
}

Describe 'Progress' {
    BeforeAll {
        $server = Connect-Sftp -Name progress
        # A command without an end of its own: more files come until it is told otherwise.
        function Start-Endless([scriptblock] $block) {
            $on = [hashtable]::Synchronized(@{ More = $true })
            $run = "param(`$server, `$on, `$from) & { while (`$on.More) { Get-ChildItem `$from -File } } | $block"
            $clock = [System.Diagnostics.Stopwatch]::StartNew()
            $beside = Start-Beside ([scriptblock]::Create($run)) $server $on "$local/tree"
            $beside | Add-Member On $on -PassThru | Add-Member Clock $clock -PassThru | Add-Member Records $beside.Shell.Streams.Progress
            $beside
        }
        function Stop-Endless($beside) {
            $beside.On.More = $false
            Wait-Until { $beside.Running.IsCompleted }
            $beside.Clock.Stop()
            $beside.Shell.Streams.Error | Should -BeNullOrEmpty
            $beside.Records.ReadAll()
        }
        function Get-Child($beside) {
            for ($i = 0; $i -lt $beside.Records.Count; $i++) {
                if ($beside.Records[$i].ParentActivityId -ge 0) { $beside.Records[$i] }
            }
        }
    }
    AfterAll { Disconnect-TransferServer $server }

    It 'is one record, at most five times a second, and ends' {
        $beside = Start-Endless { Send-TransferFile -Destination progress/ -Overwrite Always -Server $server }
        Wait-Until { $beside.Records.Count -ge 5 }
        $records = Stop-Endless $beside
        $records.ActivityId | Sort-Object -Unique | Should -HaveCount 1
        $records.ParentActivityId | Sort-Object -Unique | Should -Be -1
        $records.Activity | Sort-Object -Unique | Should -BeLike 'Sending to *'
        $records.PercentComplete | ForEach-Object { $_ | Should -BeGreaterOrEqual -1; $_ | Should -BeLessOrEqual 100 }
        $records.Count | Should -BeLessOrEqual ($beside.Clock.ElapsedMilliseconds / 200 + 2)
        $records[-1].RecordType | Should -Be Completed
        $records | Where-Object RecordType -EQ Completed | Should -HaveCount 1
    }

    It 'ends where no more of the command is wanted' {
        $beside = Start-Endless {
            Send-TransferFile -Destination progress/ -Overwrite Always -PassThru -Server $server |
                Where-Object { -not $on.More } | Select-Object -First 1 }
        Wait-Until { $beside.Records.Count -ge 1 }
        $records = Stop-Endless $beside
        $beside.Output | Should -HaveCount 1
        $records[-1].RecordType | Should -Be Completed
    }

    It 'has a record for each session, with -Verbose' {
        $beside = Start-Endless { Send-TransferFile -Destination progress/ -Overwrite Always -Server $server -Verbose }
        Wait-Until { Get-Child $beside }
        $records = Stop-Endless $beside
        $whole, $lanes = $records.Where({ $_.ParentActivityId -lt 0 }, 'Split')
        $whole.ActivityId | Sort-Object -Unique | Should -HaveCount 1
        $lanes.ParentActivityId | Sort-Object -Unique | Should -Be $whole[0].ActivityId
        $lanes[0].Activity | Should -Match '/progress/'
        $records[-1].RecordType | Should -Be Completed
        foreach ($lane in $lanes | Group-Object ActivityId) { $lane.Group[-1].RecordType | Should -Be Completed }
    }
}

Describe 'Between servers' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'copies files and folders' {
        $ftp, $sftp = (Connect-Ftp -Name from), (Connect-Sftp -Name to)
        Send-TransferFile "$local/tree" copied/ -Server $ftp | Out-Null
        (Copy-TransferFile copied/tree/*.csv arrived/ -Server $ftp -ToServer $sftp).Files | Should -Be 30
        (Copy-TransferFile copied/tree arrived/ -Server $ftp -ToServer to).Files | Should -Be 32
        # A URI is connected to for the command.
        (Copy-TransferFile copied/tree once/ -Server $ftp -ToServer "file://$env:TRANSFER_SFTP_FOLDER").Files | Should -Be 32
        Get-TransferServer | Should -HaveCount 2
        Get-TransferContent arrived/tree/below/deep.txt -Server $sftp | Should -Be deep
        (Get-Errors { Copy-TransferFile copied/tree x/ -Server $ftp -ToServer nobody })[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'keeps the second of two sources with one target' {
        $ftp, $sftp = (Connect-Ftp -Name from), (Connect-Sftp -Name to)
        $there = "$env:TRANSFER_FTP_FOLDER/twins"
        $null = New-Item "$there/a/data", "$there/b/data" -ItemType Directory
        'a', 'b' | ForEach-Object { Set-Content "$there/$_/x.csv" $_; Set-Content "$there/$_/data/x" $_ }
        $errors = Get-Errors { Copy-TransferFile twins/*/x.csv twins/ -Server $ftp -ToServer $sftp -Overwrite Always -RemoveSource }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        $kept = (Get-ChildItem $there -Recurse -Filter x.csv).Directory.Name
        @($kept) + (Get-TransferContent twins/x.csv -Server $sftp) | Sort-Object | Should -Be a, b
        # Folders, in each direction.
        Get-Errors { Copy-TransferFile twins/*/data twins/ -Server $ftp -ToServer $sftp -Overwrite Always } | Should -HaveCount 1
        Get-Errors { Send-TransferFile "$there/a/data", "$there/b/data" sent/ -Server $sftp -Overwrite Always } | Should -HaveCount 1
        Get-TransferContent sent/data/x -Server $sftp | Should -Be a
        Get-Errors { Receive-TransferFile twins/*/data "$local/twins/" -Server $ftp -Overwrite Always } | Should -HaveCount 1
        # Files of two servers, each of which has a job.
        $entries = (Get-TransferEntry twins/a/data/x -Server $ftp), (Get-TransferEntry sent/data/x -Server $sftp)
        Get-Errors { $entries | Receive-TransferFile -Destination "$local/both/" -Overwrite Always -RemoveSource } | Should -HaveCount 1
        Test-TransferPath sent/data/x -Server $sftp | Should -BeTrue
        # One that is given twice goes, and is no error.
        Get-Errors { Copy-TransferFile twins/b/data, twins/b/data again/ -Server $ftp -ToServer $sftp -Overwrite Always } | Should -BeNullOrEmpty
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
        $again = Sync-TransferFolder @sides -Delete -Confirm:$false
        $again.Unchanged, $again.Deleted | Should -Be 32, 1
        (Sync-TransferFolder over/there over/again -Direction ServerToServer -Server $sftp).Files | Should -Be 32
        Watch-TransferFolder between over/watched -Direction ServerToServer -Server $ftp -ToServer to -Settle 0 |
            Select-Object -First 32 | Where-Object Error | Should -BeNullOrEmpty
    }

    It 'refuses a second server that the direction has no place for, or that is none' {
        $ftp, $sftp = (Connect-Ftp -Name from), (Connect-Sftp -Name to)
        $errors = @(
            Get-Errors { Sync-TransferFolder "$local/tree" x -Direction Up -ToServer $sftp }
            Get-Errors { Compare-TransferFolder tree x -Direction ServerToServer -ToServer nobody }
            Disconnect-TransferServer $ftp
            Get-Errors { Copy-TransferFile tree x/ -Server $sftp -ToServer $ftp }
        )
        $errors.CategoryInfo.Category | Should -Be InvalidArgument, InvalidArgument, ConnectionError
    }

    It 'connects for one command, where the server is an address' {
        Send-TransferFile "$local/tree/file1.csv" -Server "file://$($env:TRANSFER_FTP_FOLDER)/once/"
        Test-Path "$env:TRANSFER_FTP_FOLDER/once/file1.csv" | Should -BeTrue
        Get-TransferServer | Should -BeNullOrEmpty
    }
}
