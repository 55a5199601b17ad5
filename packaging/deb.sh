#!/bin/sh
# Make dist/bellek_VERSION_ARCH.deb and a portable archive from the result of build.sh.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/packaging/setup.sh"
cd "$root"
[ -x dist/bellek/bellek ] || die "Nothing is built yet. Run first: sh packaging/build.sh"
missing=
need_program dpkg-deb dpkg
install_missing || die "Then run this again."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
arch=$(dpkg --print-architecture)
tree=build/deb
rm -rf $tree
mkdir -p $tree/DEBIAN $tree/opt $tree/usr/bin $tree/usr/share/doc/bellek
cp -a dist/bellek $tree/opt/bellek
mv $tree/opt/bellek/share/* $tree/usr/share/
rmdir $tree/opt/bellek/share
cp LICENSE $tree/usr/share/doc/bellek/copyright
ln -s ../../opt/bellek/bellek $tree/usr/bin/bellek
chmod -R u+rwX,go+rX,go-w $tree
cat >$tree/DEBIAN/control <<END
Package: bellek
Version: $version
Architecture: $arch
Maintainer: The Bellek authors <bellek@localhost>
Installed-Size: $(du -sk $tree | cut -f 1)
Section: utils
Priority: optional
Depends: libc6, libegl1, libgl1, libxkbcommon-x11-0, libxkbcommon0, libdbus-1-3, libfontconfig1,
 libxcb-cursor0, libxcb-icccm4, libxcb-image0, libxcb-keysyms1, libxcb-render-util0, libxcb-shape0,
 libxcb-xinerama0, libxcb-xkb1, libx11-xcb1, fonts-dejavu-core | fonts-noto-core
Recommends: gnome-keyring | kwalletmanager
Description: Research assistant that remembers
 Ask a question and go on asking. Bellek keeps every word on your own disk,
 ends a session when you are done with it, and finds it again months later.
END
# zstd packs in a tenth of the time of xz, and Debian 12 and Ubuntu 22.04 unpack it.
dpkg-deb --root-owner-group -Zzstd --build $tree "dist/bellek_${version}_$arch.deb" >&2
tar -C dist -czf "dist/bellek-$version-linux-$arch.tar.gz" bellek
say "dist: $(cd dist && du -sh *.deb *.tar.gz | tr '\t\n' '  ')"
