; Inno Setup: the installer of what build.sh builds on Windows. Untested.
#define Version GetEnv("BELLEK_VERSION")
[Setup]
AppId=app.bellek.Bellek
AppName=Bellek
AppVersion={#Version}
AppPublisher=The Bellek authors
DefaultDirName={autopf}\Bellek
DefaultGroupName=Bellek
PrivilegesRequired=lowest
OutputDir=..\dist
OutputBaseFilename=bellek-{#Version}-setup
SetupIconFile=..\resources\icons\bellek.ico
LicenseFile=..\LICENSE
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "tr"; MessagesFile: "compiler:Languages\Turkish.isl"
[Files]
Source: "..\dist\bellek\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion
[Icons]
Name: "{group}\Bellek"; Filename: "{app}\bellek-window.exe"
Name: "{userdesktop}\Bellek"; Filename: "{app}\bellek-window.exe"; Tasks: desktopicon
[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked
[Run]
Filename: "{app}\bellek-window.exe"; Description: "{cm:LaunchProgram,Bellek}"; Flags: nowait postinstall skipifsilent
