# Set up what is missing, then start Bellek; arguments go through:
#   powershell -ExecutionPolicy Bypass -File packaging\run.ps1                      the window
#   powershell -ExecutionPolicy Bypass -File packaging\run.ps1 ask "..." --json     any command
#   ... run.ps1 --with-local                 also install what runs a GGUF model file inside the program
#   ... run.ps1 --with-references            also install pandoc, which formats lists of references
#   ... run.ps1 --with-ocr                   also install Tesseract, which reads scanned pages
#   ... run.ps1 --with-sync                  also install what synchronises through PostgreSQL
#   ... run.ps1 --with-mcp                   also install what answers other programs (bellek mcp)
# Everything said here goes to stderr, so that a command's own stdout stays clean.
# The preference stays at Continue: Windows PowerShell 5.1 takes a native program's stderr for an error.

$root = Split-Path -Parent $PSScriptRoot
$venv = Join-Path $root '.venv'
$py = Join-Path $venv 'Scripts\python.exe'
$unfinished = Join-Path $venv '.unfinished'  # there while something is being installed
$installed = Join-Path $venv '.installed'    # the locks' checksum, then each lock installed from them

function Say($text) { [Console]::Error.WriteLine($text) }
function Die($text) { Say $text; exit 1 }

function Find-Python {
    $enough = 'import sys; sys.exit(sys.version_info < (3, 11))'
    $candidates = @('py', '-3'), @('python3'), @('python')
    if ($env:PYTHON) { $candidates = , @($env:PYTHON) + $candidates }
    foreach ($candidate in $candidates) {
        if (-not (Get-Command $candidate[0] -ErrorAction SilentlyContinue)) { continue }
        $rest = @($candidate | Select-Object -Skip 1)
        & $candidate[0] @rest -c $enough 2>$null | Out-Null
        if ($LASTEXITCODE -eq 0) { return , $candidate }
    }
    Die 'Bellek needs Python 3.11 or newer and finds none. Install one: winget install Python.Python.3.13'
}

function Test-Venv {  # false also where the Python behind it was removed
    if ((Test-Path $unfinished) -or -not (Test-Path $py)) { return $false }
    & $py -m pip --version 2>$null | Out-Null
    return $LASTEXITCODE -eq 0
}

function New-Venv {
    $python = Find-Python
    $rest = @($python | Select-Object -Skip 1)
    Say "Setting up $venv ..."
    if (Test-Path $venv) { Remove-Item -Recurse -Force $venv }
    New-Item -ItemType Directory $venv | Out-Null
    New-Item -ItemType File $unfinished | Out-Null
    & $python[0] @rest -m venv $venv | ForEach-Object { Say $_ }
    if ($LASTEXITCODE -ne 0) { Die 'The virtual environment could not be made (see above). Then run this again.' }
}

function Install-Lock($name) {
    $files = @(Join-Path $root 'requirements.lock') + @(Get-ChildItem (Join-Path $PSScriptRoot 'locks\*.lock') |
        Sort-Object Name | ForEach-Object { $_.FullName })
    $locks = ($files | ForEach-Object { (Get-FileHash $_ -Algorithm SHA256).Hash }) -join ''
    $known = @(if (Test-Path $installed) { Get-Content $installed })
    $current = $known.Count -gt 0 -and $known[0] -eq $locks
    if ($current -and $known -contains $name -and (Test-Path $py) -and -not (Test-Path $unfinished)) {
        & $py -c 'pass' 2>$null
        if ($LASTEXITCODE -eq 0) { return }
    }
    if (-not (Test-Venv)) { New-Venv; $current = $false }
    $lock = if ($name -eq 'requirements') { $files[0] } else { Join-Path $PSScriptRoot "locks\$name.lock" }
    Say "Installing $lock (only what is missing) ..."
    if (-not (Test-Path $unfinished)) { New-Item -ItemType File $unfinished | Out-Null }
    & $py -m pip install --no-compile --require-hashes --no-deps --only-binary :all: --disable-pip-version-check -r $lock |
        ForEach-Object { Say $_ }
    if ($LASTEXITCODE -ne 0) {
        Die 'The packages could not be installed (see above). Check the connection, then run this again.'
    }
    # Else the first start would wait for it; what does not compile is no part of what is started.
    & $py -OO -m compileall -qq -j 0 (Join-Path $venv 'Lib\site-packages') | ForEach-Object { Say $_ }
    if (-not $current) { Set-Content $installed $locks }
    Add-Content $installed $name
    Remove-Item $unfinished
}

function Update-Translations {
    $lrelease = Join-Path $venv 'Lib\site-packages\PySide6\lrelease.exe'
    foreach ($ts in Get-ChildItem (Join-Path $root 'i18n\*.ts')) {
        $qm = [IO.Path]::ChangeExtension($ts.FullName, '.qm')
        if ((Test-Path $qm) -and (Get-Item $qm).LastWriteTime -ge $ts.LastWriteTime) { continue }
        & $lrelease -silent $ts.FullName -qm $qm | ForEach-Object { Say $_ }
        if ($LASTEXITCODE -ne 0) { Say 'The translations could not be compiled; the window speaks English.' }
    }
}

$rest = @($args)
$extras = @('local', 'references', 'ocr', 'sync', 'mcp') | Where-Object { (Test-Path $installed) -and (Get-Content $installed) -contains $_ }
$extras = @($extras)
while ($rest.Count -gt 0 -and $rest[0] -in '--with-local', '--with-references', '--with-ocr', '--with-sync', '--with-mcp') {
    $extras += $rest[0].Substring('--with-'.Length)
    $rest = @($rest | Select-Object -Skip 1)
}
if ($extras.Count -eq 0) { $extras = @('requirements') }
foreach ($lockName in $extras) { Install-Lock $lockName }
Update-Translations

$before = $env:PYTHONPATH
$optimized = $env:PYTHONOPTIMIZE
try {
    $env:PYTHONPATH = $root
    $env:PYTHONOPTIMIZE = 2  # without the docstrings of packages: 5 MB less in the window, and a start 5 % sooner
    # -P: a file of the folder one stands in must not be taken for a module of ours.
    & $py -P -m desktop @rest
    $code = $LASTEXITCODE
}
finally {
    $env:PYTHONPATH = $before
    $env:PYTHONOPTIMIZE = $optimized
}
exit $code
