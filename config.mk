# What a packager may want to set; everything can also be given on make's command line.
VERSION = 0.1
# Of make deb; with an address where mail is read.
MAINTAINER = The flamepipe authors <flamepipe@flamepipe.example>

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBEXECDIR = $(PREFIX)/libexec/flamepipe
MANDIR = $(PREFIX)/share/man
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
DESTDIR =

CC = cc
CFLAGS = -O2 -g
LDFLAGS =

# SAN=address,undefined,float-cast-overflow builds and checks with those sanitizers, in a build folder of its own.
SAN =
