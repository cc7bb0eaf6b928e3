# What a packager may want to set; everything can also be given on make's command line.
VERSION = 0.1

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBEXECDIR = $(PREFIX)/libexec/flamepipe
MANDIR = $(PREFIX)/share/man
COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions
DESTDIR =

CC = cc
CFLAGS = -O2 -g
LDFLAGS =

# SAN=address,undefined,float-cast-overflow builds and checks with those sanitizers, in a build folder of its own.
SAN =
