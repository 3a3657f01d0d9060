BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1

    function New-Drive([string] $protocol, [string] $name = 'in', [string] $below = '') {
        $uri = (Get-Item "env:TRANSFER_$($protocol.ToUpperInvariant())").Value.TrimEnd('/') + "/$below"
        New-PSDrive -Name $name -PSProvider Transfer -Root $uri -Credential $credential -Pin (Get-Item "env:TRANSFER_$($protocol.ToUpperInvariant())_PIN").Value -Scope Global
    }
}

Describe 'A drive over <_>' -ForEach $protocols {
    BeforeAll {
        $protocol = $_.ToUpperInvariant()
        $folder = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value + '/drive'
        New-Item "$folder/list/sub/deep" -ItemType Directory -Force | Out-Null
        'one', 'two' | ForEach-Object { Set-Content "$folder/list/$_.txt" $_ -NoNewline }
        Set-Content -LiteralPath "$folder/list/with [1] and `$.csv" odd -NoNewline
        Set-Content "$folder/list/sub/below.txt" below
        Set-Content "$folder/list/sub/deep/deepest.txt" deepest
        Set-Content "$folder/inner.txt" inner
        New-Drive $_ -Below drive | Out-Null
    }
    AfterAll { Remove-PSDrive in }

    It 'is named with its server, and has no password in its root' {
        $drive = Get-PSDrive in
        $drive.Server.Name | Should -Be in
        (Get-TransferServer in).Uri | Should -Be $drive.Server.Uri
        $drive.DisplayRoot | Should -Match '/drive$'
        "$($drive | Format-List * | Out-String)" | Should -Not -Match 'demo:demo'
    }

    It 'lists a folder, with the members and the format of Get-TransferEntry' {
        $entries = Get-ChildItem in:/list
        $entries.Name | Sort-Object | Should -Be 'one.txt', 'sub', 'two.txt', 'with [1] and $.csv'
        $one = $entries | Where-Object Name -eq one.txt
        $one.FullName | Should -Be (Get-TransferEntry list/one.txt -Server in).FullName
        $one.Length | Should -Be 3
        $one.PSIsContainer | Should -BeFalse
        $one.Extension | Should -Be .txt
        ((Get-Date) - $one.LastWriteTime).TotalHours | Should -BeLessThan 1
        ($entries | Where-Object PSIsContainer).Name | Should -Be sub
        Get-ChildItem in:/list | Out-String | Should -Match 'Mode +LastWriteTime +Length +Name'
    }

    It 'filters by kind, by name and by depth' {
        (Get-ChildItem in:/list -File).Name | Sort-Object | Should -Be 'one.txt', 'two.txt', 'with [1] and $.csv'
        (Get-ChildItem in:/list -Directory).Name | Should -Be sub
        (Get-ChildItem in:/list -Filter t*).Name | Should -Be two.txt
        (Get-ChildItem in:/list -Recurse).Name | Sort-Object | Should -Be 'below.txt', 'deep', 'deepest.txt', 'one.txt', 'sub', 'two.txt', 'with [1] and $.csv'
        (Get-ChildItem in:/list -Recurse -File -Filter *.txt).Name | Sort-Object | Should -Be 'below.txt', 'deepest.txt', 'one.txt', 'two.txt'
        (Get-ChildItem in:/list -Depth 1 -File).Name | Sort-Object | Should -Be 'below.txt', 'one.txt', 'two.txt', 'with [1] and $.csv'
        (Get-ChildItem in:/list -Recurse -Include *.txt -Exclude o*).Name | Sort-Object | Should -Be 'below.txt', 'deepest.txt', 'two.txt'
        Get-ChildItem in:/list -Name | Sort-Object | Should -Be 'one.txt', 'sub', 'two.txt', 'with [1] and $.csv'
        Get-ChildItem in:/list -Name -Recurse -File | Sort-Object | Should -Contain 'sub/deep/deepest.txt'
        (Get-ChildItem in:/list/*.txt).Name | Sort-Object | Should -Be 'one.txt', 'two.txt'
        (Get-ChildItem in:/l*/sub/b*).Name | Should -Be below.txt
        (Get-ChildItem in:/list | Select-Object -First 1) | Should -HaveCount 1
    }

    It 'gets items, and tells what is there' {
        (Get-Item in:/list/one.txt).Length | Should -Be 3
        (Get-Item -LiteralPath 'in:/list/with [1] and $.csv').Length | Should -Be 3
        (Get-Item in:/).PSIsContainer | Should -BeTrue
        (Get-Errors { Get-Item in:/list/none })[0].CategoryInfo.Category | Should -Be ObjectNotFound
        Test-Path in:/list | Should -BeTrue
        Test-Path in:/list -PathType Leaf | Should -BeFalse
        Test-Path in:/list/one.txt -PathType Leaf | Should -BeTrue
        Test-Path in:/list/none.txt | Should -BeFalse
        Test-Path in:/list/*.csv | Should -BeTrue
        Test-Path -LiteralPath 'in:/list/with [1] and $.csv' | Should -BeTrue
    }

    It 'has an error for a path that no request can have, and goes on' {
        $found = Get-Item -LiteralPath in:/list/one.txt, "in:/list/x`ny", in:/list/two.txt -ErrorAction SilentlyContinue -ErrorVariable failed
        $found.Name | Should -Be 'one.txt', 'two.txt'
        $failed | Should -HaveCount 1
        Test-Path -LiteralPath "in:/list/x`ny" | Should -BeFalse
    }

    It 'is a place to be, with relative paths' {
        Push-Location in:/list/sub
        try {
            (Get-Location).Path | Should -Be in:/list/sub
            (Get-ChildItem).Name | Sort-Object | Should -Be 'below.txt', 'deep'
            Get-Content ./below.txt | Should -Be below
            Get-Content ../one.txt | Should -Be one
            Get-Content deep/deepest.txt | Should -Be deepest
            Set-Location ..
            (Get-Location).Path | Should -Be in:/list
            (Get-Item one.txt).Name | Should -Be one.txt
            Set-Location in:/
            Test-Path list/sub | Should -BeTrue
            Get-Errors { Set-Location inner.txt } | Should -HaveCount 1
            (Get-Location).Path | Should -Be in:/
        }
        finally { Pop-Location }
    }

    It 'has a folder in it that begins as the drive does' {
        New-Item in:/inside/in -ItemType Directory | Out-Null
        Push-Location in:/inside/in
        try {
            'x' | Set-Content x.txt
            Get-Content in:/inside/in/x.txt | Should -Be x
            (Get-ChildItem).Name | Should -Be x.txt
        }
        finally { Pop-Location }
    }

    It 'reads content by line, as one text and as bytes' {
        Set-Content "$folder/lines.txt" 'a', 'b', 'grüße'
        Get-Content in:/lines.txt | Should -Be 'a', 'b', 'grüße'
        Get-Content in:/lines.txt -TotalCount 2 | Should -Be 'a', 'b'
        Get-Content in:/lines.txt | Select-Object -First 1 | Should -Be a
        (Get-Content in:/lines.txt -ReadCount 0).Count | Should -Be 3
        Get-Content in:/lines.txt -Raw | Should -Be (Get-Content "$folder/lines.txt" -Raw)
        Get-Content in:/lines.txt -AsByteStream -TotalCount 2 | Should -Be 97, 10
        $bytes = Get-Content in:/lines.txt -AsByteStream -Raw
        $bytes.Length | Should -Be (Get-Item "$folder/lines.txt").Length
        Set-Content "$folder/latin.txt" 'grüße' -Encoding latin1
        Get-Content in:/latin.txt -Encoding latin1 | Should -Be 'grüße'
        $errors = Get-Errors { Get-Content in:/list }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Unsupported,*'
    }

    It 'writes content as a whole, and says what it cannot append' {
        'a', 'b' | Set-Content in:/written.txt
        Get-Content "$folder/written.txt" | Should -Be 'a', 'b'
        Set-Content in:/written.txt one -NoNewline
        Get-Content "$folder/written.txt" -Raw | Should -Be one
        [byte[]] $bytes = 0..255
        Set-Content in:/bytes.bin $bytes -AsByteStream
        (Get-Item "$folder/bytes.bin").Length | Should -Be 256
        'grüße' | Set-Content in:/marked.txt -Encoding utf8BOM
        (Get-Content "$folder/marked.txt" -AsByteStream -TotalCount 3) | Should -Be 0xEF, 0xBB, 0xBF
        Add-Content in:/added.txt first
        Get-Content "$folder/added.txt" | Should -Be first
        $errors = Get-Errors { Add-Content in:/added.txt second }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Unsupported,*'
        $errors[0].Exception.Message | Should -Match 'Set-Content'
        Get-Content "$folder/added.txt" | Should -Be first
        Clear-Content in:/added.txt
        (Get-Item "$folder/added.txt").Length | Should -Be 0
        @(Get-ChildItem $folder -Force -Recurse | Where-Object Name -Match '\.part') | Should -HaveCount 0
    }

    It 'keeps the old file where a value cannot be written' {
        'old' | Set-Content in:/kept.txt
        Get-Errors { 1, 'no byte' | Set-Content in:/kept.txt -AsByteStream } | Should -Not -BeNullOrEmpty
        Get-Content "$folder/kept.txt" | Should -Be old
        @(Get-ChildItem $folder -Force | Where-Object Name -Match '\.part') | Should -HaveCount 0
    }

    It 'keeps the old file where the pipeline in front of it fails' {
        'old' | Set-Content in:/kept.txt
        $failing = { 1..3 | ForEach-Object { if ($_ -eq 3) { throw 'broken' } else { "line $_" } } }
        Get-Errors { & $failing | Set-Content in:/kept.txt } | Should -Not -BeNullOrEmpty
        Get-Content "$folder/kept.txt" | Should -Be old
        Get-Errors { & $failing | Set-TransferContent kept.txt -Server in } | Should -Not -BeNullOrEmpty
        Get-Content "$folder/kept.txt" | Should -Be old
        Get-Errors { & $failing | Set-Content in:/new.txt } | Should -Not -BeNullOrEmpty
        Test-Path "$folder/new.txt" | Should -BeFalse
        @(Get-ChildItem $folder -Force | Where-Object Name -Match '\.part') | Should -HaveCount 0
        # One that ends within a pipeline which fails later is whole.
        Get-Errors { 1 | ForEach-Object { 'whole' | Set-Content in:/kept.txt; throw 'later' } } | Should -Not -BeNullOrEmpty
        Get-Content "$folder/kept.txt" | Should -Be whole
    }

    It 'makes, renames, moves, copies and deletes' {
        (New-Item in:/work/a -ItemType Directory).FullName | Should -BeLike '*/work/a'
        (New-Item in:/work/x.txt -ItemType File -Value hello).Length | Should -Be 5
        (Get-Errors { New-Item in:/work/x.txt -ItemType File })[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        (Get-Errors { New-Item in:/work -ItemType Directory })[0].ErrorDetails.RecommendedAction | Should -Match '-Force'
        (New-Item in:/work/x.txt -ItemType File -Value again -Force).Length | Should -Be 5
        (Rename-Item in:/work/x.txt y.txt -PassThru).Name | Should -Be y.txt
        Get-Content "$folder/work/y.txt" | Should -Be again
        Move-Item in:/work/y.txt in:/work/a
        Test-Path "$folder/work/a/y.txt" | Should -BeTrue
        'new' | Set-Content in:/work/y.txt
        (Get-Errors { Move-Item in:/work/y.txt in:/work/a })[0].CategoryInfo.Category | Should -Be ResourceExists
        Move-Item in:/work/y.txt in:/work/a -Force
        Get-Content "$folder/work/a/y.txt" | Should -Be new
        Copy-Item in:/work/a/y.txt in:/work/copy.txt
        Get-Content "$folder/work/copy.txt" | Should -Be new
        Copy-Item in:/work/a in:/work/b -Recurse
        Get-Content "$folder/work/b/y.txt" | Should -Be new
        Get-ChildItem in:/work/a | Copy-Item -Destination in:/work/b
        (Get-Errors { Rename-Item in:/work/copy.txt other/copy.txt }) | Should -Not -BeNullOrEmpty
        Remove-Item in:/work/copy.txt
        Test-Path "$folder/work/copy.txt" | Should -BeFalse
        Remove-Item in:/work -Recurse
        Test-Path "$folder/work" | Should -BeFalse
        (Get-Errors { Remove-Item in:/work })[0].CategoryInfo.Category | Should -Be ObjectNotFound
    }

    It 'is not deleted at its root: <_>' -ForEach 'in:/', 'in:/.', 'in:/list/..', 'in:/list/../.' {
        $before = (Get-ChildItem $folder -Recurse).FullName
        Get-Errors { Remove-Item -LiteralPath $_ -Recurse -Force } | Should -Not -BeNullOrEmpty
        Get-Errors { Remove-Item $_ -Recurse -Force } | Should -Not -BeNullOrEmpty
        (Get-ChildItem $folder -Recurse).FullName | Should -Be $before
    }

    It 'deletes what a pipeline or a pattern gives it, and no more' {
        New-Item "$folder/trash" -ItemType Directory | Out-Null
        1..3 | ForEach-Object { 'x' | Set-Content "$folder/trash/$_.tmp" }
        'x' | Set-Content -LiteralPath "$folder/trash/[1].tmp"
        'x' | Set-Content "$folder/trash/keep.txt"
        Get-ChildItem in:/trash -Filter '?.tmp' | Remove-Item
        (Get-ChildItem $folder/trash).Name | Sort-Object | Should -Be '[1].tmp', 'keep.txt'
        Remove-Item in:/trash/*.tmp
        (Get-ChildItem $folder/trash).Name | Should -Be keep.txt
    }

    It 'deletes and copies with -Recurse only what -Filter and -Exclude choose, as of local folders' {
        $null = New-Item "$folder/chosen/d/sub/empty", "$folder/chosen/d/all" -ItemType Directory
        'keep.txt', 'x.tmp', 'sub/keep2.txt', 'sub/Y.TMP', 'all/z.tmp' | ForEach-Object { Set-Content "$folder/chosen/d/$_" $_ -NoNewline }
        function Get-Below([string] $path) { Push-Location $path; Get-ChildItem -Recurse -File | Resolve-Path -Relative | Sort-Object; Pop-Location }
        Copy-Item in:/chosen/d in:/chosen/filtered -Recurse -Filter *.tmp
        Get-Below "$folder/chosen/filtered" | Should -Be './all/z.tmp', './sub/Y.TMP', './x.tmp'
        Get-Content "$folder/chosen/filtered/sub/Y.TMP" | Should -Be sub/Y.TMP
        Test-Path "$folder/chosen/filtered/sub/empty" | Should -BeTrue
        Copy-Item in:/chosen/d in:/chosen/excluded -Recurse -Exclude *.tmp
        Get-Below "$folder/chosen/excluded" | Should -Be './keep.txt', './sub/keep2.txt'
        $null = New-Item "$folder/chosen/into" -ItemType Directory
        Copy-Item in:/chosen/d in:/chosen/into -Recurse -Filter *.txt
        Get-Below "$folder/chosen/into" | Should -Be './d/keep.txt', './d/sub/keep2.txt'
        $errors = Get-Errors { Remove-Item in:/chosen/d -Filter *.tmp -Recurse -Force }
        Get-Below "$folder/chosen/d" | Should -Be './keep.txt', './sub/keep2.txt'
        Test-Path "$folder/chosen/d/all", "$folder/chosen/d/sub/empty" | Should -Be $false, $false
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Denied,*'
        Remove-Item in:/chosen/d -Filter *.txt -Recurse
        Test-Path "$folder/chosen/d" | Should -BeFalse
        Remove-Item "$folder/chosen" -Recurse
    }

    It 'changes nothing with -WhatIf' {
        $before = Get-ChildItem $folder -Recurse | ForEach-Object { "$($_.FullName) $($_.Length)" }
        New-Item in:/whatif -ItemType Directory -WhatIf
        New-Item in:/whatif.txt -ItemType File -Value x -WhatIf
        'x' | Set-Content in:/inner.txt -WhatIf
        Clear-Content in:/inner.txt -WhatIf
        Rename-Item in:/inner.txt renamed.txt -WhatIf
        Move-Item in:/inner.txt in:/list -WhatIf
        Copy-Item in:/list in:/copied -Recurse -WhatIf
        Remove-Item in:/list -Recurse -WhatIf
        Get-ChildItem $folder -Recurse | ForEach-Object { "$($_.FullName) $($_.Length)" } | Should -Be $before
    }

    It 'names the command that leaves the drive, with its arguments' {
        $errors = Get-Errors { Copy-Item 'in:/list/with `[1`] and $.csv' $local }
        "$errors" | Should -Match ([regex]::Escape("Receive-TransferFile -LiteralPath 'list/with [1] and `$.csv' -Destination $local -Server in"))
        "$(Get-Errors { Move-Item in:/inner.txt $local })" | Should -Match 'Receive-TransferFile inner.txt'
        $command = [regex]::Match("$(Get-Errors { Copy-Item in:/inner.txt $local })", 'Receive-TransferFile .* -Server \w+').Value
        Invoke-Expression $command | Out-Null
        Get-Content "$local/inner.txt" | Should -Be inner
        Remove-Item "$local/inner.txt"
    }

    It 'names the command that sends local files to the drive, with its arguments' {
        Set-Content "$local/up.txt" up
        $file = "$local/up.txt"
        $errors = Get-Errors { Copy-Item $file in:/list/sub }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Unsupported,*'
        "$errors" | Should -Match ([regex]::Escape('Send-TransferFile $file -Destination list/sub -Server in'))
        Invoke-Expression ([regex]::Match("$errors", 'Send-TransferFile .* -Server \w+').Value) | Out-Null
        Get-Content in:/list/sub/up.txt | Should -Be up
        "$(Get-Errors { copy -LiteralPath $file in:/ })" | Should -Match ([regex]::Escape('Send-TransferFile -LiteralPath $file -Server in'))
        # Of files from a pipeline nothing is known: PowerShell's own refusal stays.
        (Get-Errors { Get-Item $file | Copy-Item -Destination in:/list })[0].FullyQualifiedErrorId | Should -BeLike 'CopyItemSourceAndDestinationNotSameProvider,*'
        Remove-Item in:/list/sub/up.txt
    }

    It 'completes paths' {
        $line = 'Get-Item in:/list/o'
        [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText | Should -Be in:/list/one.txt
        $line = 'Get-Item in:/lis'
        [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.ResultType | Should -Be ProviderContainer
        $line = 'Get-Item in:/list/w'
        [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText | Should -Match "^'in:/list/with "
    }

    It 'stops at once in the middle of <_>' -ForEach @(
        'listings: while ($true) { Get-ChildItem stopped:/drive -Recurse | Out-Null; 1 }'
        'copies: 1; while ($true) { Copy-Item stopped:/drive/much stopped:/drive/copied -Recurse }'
    ) {
        $work = $_ -replace '^\w+: '
        $null = New-Item "$folder/much" -ItemType Directory -Force
        1..200 | ForEach-Object { [System.IO.File]::WriteAllText("$folder/much/$_.txt", 'x') }
        $shell = [powershell]::Create().AddScript({
            param($module, $uri, $credential, $pin, $work)
            Import-Module $module
            New-PSDrive -Name stopped -PSProvider Transfer -Root $uri -Credential $credential -Pin $pin | Out-Null
            & ([scriptblock]::Create($work))
        }).AddArgument($env:TRANSFER_MODULE).AddArgument((Get-Item "env:TRANSFER_$protocol").Value).AddArgument($credential)
        $null = $shell.AddArgument((Get-Item "env:TRANSFER_${protocol}_PIN").Value).AddArgument($work)
        $output = [System.Management.Automation.PSDataCollection[psobject]]::new()
        $running = $shell.BeginInvoke([System.Management.Automation.PSDataCollection[psobject]]::new(), $output)
        while ($output.Count -eq 0 -and -not $running.IsCompleted) { Start-Sleep -Milliseconds 20 }
        if ($work -match 'copied') { Wait-Until { $running.IsCompleted -or (Test-Path "$folder/copied/*.txt") } }
        $shell.Stop()
        $shell.InvocationStateInfo.State | Should -Be Stopped
        $shell.Dispose()
        Get-TransferServer stopped | Disconnect-TransferServer
    }
}

Describe 'Drives and servers' {
    AfterEach {
        Get-PSDrive -PSProvider Transfer | Remove-PSDrive
        Get-TransferServer | Disconnect-TransferServer
    }

    It 'closes the server that a drive has connected, and no other' {
        New-Drive Sftp | Out-Null
        (Get-TransferServer).Name | Should -Be in
        Remove-PSDrive in
        Get-TransferServer | Should -BeNullOrEmpty
        $server = Connect-Sftp -Name partner
        New-PSDrive -Name there -PSProvider Transfer -Root / -Server partner -Scope Global | Out-Null
        Get-ChildItem there:/ | Should -Not -BeNullOrEmpty
        Remove-PSDrive there
        $server.IsClosed | Should -BeFalse
    }

    It 'says that the server of a drive is closed' {
        New-Drive Sftp | Out-Null
        Disconnect-TransferServer in
        $errors = Get-Errors { Get-ChildItem in:/drive }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Lost,*'
        "$errors" | Should -Match 'Remove-PSDrive in'
    }

    It 'copies from drive to drive' {
        New-Drive Ftp from | Out-Null
        New-Drive Sftp to | Out-Null
        New-Item from:/across/below -ItemType Directory | Out-Null
        'deep' | Set-Content from:/across/below/deep.txt
        Copy-Item from:/across to:/across -Recurse
        Get-Content to:/across/below/deep.txt | Should -Be deep
        "$(Get-Errors { Move-Item from:/across/below/deep.txt to:/deep.txt })" | Should -Match 'Copy-TransferFile across/below/deep.txt deep.txt -Server from -ToServer to'
    }

    It 'refuses roots that are none, and options that contradict each other' {
        (Get-Errors { New-PSDrive -Name bad -PSProvider Transfer -Root folder })[0].CategoryInfo.Category | Should -Be InvalidArgument
        $uri = $env:TRANSFER_SFTP.TrimEnd('/')
        (Get-Errors { New-PSDrive -Name bad -PSProvider Transfer -Root "$uri/none" -Credential $credential -Pin $env:TRANSFER_SFTP_PIN })[0].CategoryInfo.Category | Should -Be ObjectNotFound
        $wrong = [pscredential]::new('demo', (ConvertTo-SecureString 'wrong-secret' -AsPlainText -Force))
        $errors = Get-Errors { New-PSDrive -Name bad -PSProvider Transfer -Root $uri -Credential $wrong -Pin $env:TRANSFER_SFTP_PIN }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Auth,*'
        $errors[0].ErrorDetails.RecommendedAction | Should -Match 'Credential'
        Connect-Sftp -Name partner | Out-Null
        (Get-Errors { New-PSDrive -Name bad -PSProvider Transfer -Root / -Server partner -AcceptNewHostKey })[0].CategoryInfo.Category | Should -Be InvalidArgument
        Get-PSDrive bad -ErrorAction Ignore | Should -BeNullOrEmpty
        (Get-TransferServer).Name | Should -Be partner
    }
}
