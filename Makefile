# make            programs in build/bin, the Perl scripts' names in build/compat; V=1 shows the commands
# make demo       the main job on this machine: leaves demo.svg
# make check      the tests that prove the programs, the same on any machine; make check-live: what only a running kernel
#                 can show; make check-browser: the picture in browsers; make check-all: these and all others, see
#                 tests/README; SAN=address,undefined,float-cast-overflow: under sanitizers
# make lint       the static checks
# make fuzz       libFuzzer on the parsers, FUZZ_SECONDS for each (needs clang and its runtime)
# make bench      times, beside wc -l, compared with tests/bench/limits; ROWS='flamesvg wide' for some of them;
#                 bench-table writes what was measured to tests/bench/RESULTS.md; bench-check counts instructions;
#                 bench-record compares what recording costs with perf record, RECORD_SECONDS for each
# make static     one tarball of static programs, pages and completions, in build/; the same for npm: make npm;
#                 make deb: a package for Debian; make dist: the sources
# make install    under $(DESTDIR)$(PREFIX); make uninstall
include config.mk

PROGRAMS = stackrecord perf-script stackfilter stackcollapse flamesvg stackdiff stackreport stackexport stackstat stackfiles jmaps nodeprofile
# Programs in shell, each made of the files in its folder.
SCRIPTS = flamepipe
# The Perl scripts' names, each with the program that does its work.
COMPAT = $(STACKCOLLAPSE:%=stackcollapse%:stackcollapse) flamegraph.pl:flamesvg difffolded.pl:stackdiff \
	pkgsplit-perf.pl:stackcollapse range-perf.pl:perf-script files.pl:stackfiles jmaps:jmaps
# Each has a row in cmd/stackcollapse/script/scripts.c.
STACKCOLLAPSE = -perf.pl -gdb.pl -jstack.pl -faulthandler.pl -elfutils.pl -bpftrace.pl .pl -stap.pl -go.pl \
	-java-exceptions.pl -ibmjava.pl -recursive.pl -wcp.pl -aix.pl -pmc.pl -ljp.awk -chrome-tracing.py \
	-vsprof.pl -vtune.pl -vtune-mc.pl -perf-sched.awk -sample.awk -instruments.pl -xdebug.php

BUILD = build$(if $(SAN),/san)

CPPFLAGS_ALL = -I. -D_POSIX_C_SOURCE=200809L $(CPPFLAGS)
CFLAGS_ALL = -std=c11 -Wall -Wextra -Wshadow -Wmissing-prototypes -Wconversion -MMD -MP $(CFLAGS) \
	$(if $(SAN),-Werror -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LDFLAGS_ALL = $(LDFLAGS) $(if $(SAN),-fsanitize=$(SAN))

SOURCES := $(wildcard common/*/*.c common/*/*/*.c cmd/*/*.c cmd/*/*/*.c)
COMMON_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(filter common/%,$(SOURCES)))
PROGRAM_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(filter cmd/$(1)/%,$(SOURCES)))
UNIT_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/unit/*.c))
FUZZ_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/driver.c,$(wildcard tests/fuzz/*.c)))

BIN = $(PROGRAMS:%=$(BUILD)/bin/%) $(SCRIPTS:%=$(BUILD)/bin/%)
COMPAT_SCRIPTS = $(foreach pair,$(COMPAT),$(BUILD)/compat/$(firstword $(subst :, ,$(pair))))
UNIT = $(UNIT_OBJ:$(BUILD)/tests/unit/%.o=$(BUILD)/unit/%)
FUZZ = $(FUZZ_OBJ:$(BUILD)/tests/fuzz/%.o=$(BUILD)/fuzz/%)
TEST_TOOLS = $(patsubst %,$(BUILD)/tool/%,datacopy cfitable inlinedcalls sourcemap)
# Loaded into the programs by LD_PRELOAD.
FAULT_LIBRARY = $(BUILD)/tool/fault.so
COUNTER_LIBRARY = $(BUILD)/tool/counters.so
BENCH_TOOLS = $(BUILD)/bench/generate $(BUILD)/bench/measure
BASH_COMPLETIONS = $(BIN:$(BUILD)/bin/%=$(BUILD)/completion/bash/%)
ZSH_COMPLETIONS = $(BIN:$(BUILD)/bin/%=$(BUILD)/completion/zsh/_%)
FISH_COMPLETIONS = $(BIN:$(BUILD)/bin/%=$(BUILD)/completion/fish/%.fish)

all: $(BIN) $(COMPAT_SCRIPTS)
unit: $(UNIT) $(TEST_TOOLS) $(FAULT_LIBRARY) $(COUNTER_LIBRARY)
fuzz-targets: $(FUZZ)
completions: $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS)

# Building

# Begins a command: a short line is shown in its place, with V=1 the command itself, with -s nothing.
silent = $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
step = $(if $(filter-out 0,$(V)),,@$(if $(silent),,echo '$1';))

LINK = $(call step,LD $@) $(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(filter %.a,$^)
$(PROGRAMS:%=$(BUILD)/bin/%) $(UNIT) $(TEST_TOOLS) $(FUZZ) $(BENCH_TOOLS): $(BUILD)/ldflags

define program
$(BUILD)/bin/$(1): $(call PROGRAM_OBJ,$(1)) $(BUILD)/common.a $(BUILD)/sources
	@mkdir -p $$(@D)
	$$(LINK)
endef
$(foreach p,$(PROGRAMS),$(eval $(call program,$(p))))

$(BUILD)/bin/flamepipe: $(patsubst %,cmd/flamepipe/%.sh,base options record inspect archive draw compare main)
$(SCRIPTS:%=$(BUILD)/bin/%): $(BUILD)/version
	@mkdir -p $(@D)
	$(call step,SH $@) cat $(filter %.sh,$^) | sed 's/@VERSION@/$(VERSION)/' > $@
	@chmod 755 $@

# A script that runs the program by a link with the Perl script's name: see common/base/compat.sh.
define compat
$(BUILD)/compat/$(word 1,$(1)): common/base/compat.sh $(BUILD)/bin/$(word 2,$(1))
	@mkdir -p $$(@D)/programs
	@ln -sf ../../bin/$(word 2,$(1)) $$(@D)/programs/$(word 1,$(1))
	@rm -f $$@
	$$(call step,SH $$@) sed 's/@NAME@/$(word 1,$(1))/g' $$< > $$@
	@chmod 755 $$@
endef
$(foreach pair,$(COMPAT),$(eval $(call compat,$(subst :, ,$(pair)))))

$(BUILD)/common.a: $(COMMON_OBJ) $(BUILD)/sources
	@rm -f $@
	$(call step,AR $@) $(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/unit/stacker: $(BUILD)/cmd/stackcollapse/shared/stacker.o
$(BUILD)/unit/protobuf: $(BUILD)/cmd/stackcollapse/shared/protobuf.o
$(BUILD)/unit/check: $(addprefix $(BUILD)/cmd/perf-script/,report.o window.o)
$(BUILD)/unit/timerange: $(BUILD)/cmd/stackfilter/timerange.o
$(BUILD)/unit/slicefolder: $(addprefix $(BUILD)/cmd/stackfilter/,slicefolder.o timerange.o)
$(BUILD)/unit/flamesvg: $(addprefix $(BUILD)/cmd/flamesvg/,contrast.o palette.o xmltext.o)
$(BUILD)/unit/slices: $(BUILD)/cmd/flamesvg/slices.o
$(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/unit/stackrecord*.c)) \
$(addprefix $(BUILD)/,unit/liveprocs unit/livemap unit/symbolizer fuzz/jitdump): \
	$(filter-out %/main.o,$(call PROGRAM_OBJ,stackrecord))
# What asks the system is replaced in these tests.
comma := ,
$(BUILD)/unit/slicefolder: LDFLAGS_ALL += -Wl,--wrap=closedir
$(BUILD)/unit/stackrecord_jsnames: LDFLAGS_ALL += $(addprefix -Wl$(comma)--wrap=,helper_copy_blocks \
	v8file_read heldfiles_open liveprocs_has_names liveprocs_needs_no_map \
	liveprocs_delay_report clock_gettime)
$(BUILD)/unit/stackrecord_calldetails: LDFLAGS_ALL += $(addprefix -Wl$(comma)--wrap=,\
	helper_descriptor clock_gettime)
$(BUILD)/unit/stackrecord_callstrings: LDFLAGS_ALL += -Wl,--wrap=helper_copy_blocks
$(BUILD)/unit/stackdiff: $(filter-out %/main.o,$(call PROGRAM_OBJ,stackdiff))
$(BUILD)/unit/stackreport: $(filter-out %/main.o,$(call PROGRAM_OBJ,stackreport))
$(UNIT): $(BUILD)/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/common.a
	@mkdir -p $(@D)
	$(LINK) -lm

$(TEST_TOOLS): $(BUILD)/tool/%: $(BUILD)/tests/tool/%.o $(BUILD)/common.a
	@mkdir -p $(@D)
	$(LINK)

$(FAULT_LIBRARY): tests/robust/fault/fault.c
$(COUNTER_LIBRARY): tests/tool/counters.c
$(FAULT_LIBRARY) $(COUNTER_LIBRARY): $(BUILD)/flags $(BUILD)/ldflags
	@mkdir -p $(@D)
	$(call step,LD $@) $(CC) $(filter-out -MMD -MP -fsanitize=% -fno-sanitize-recover=%,$(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS)) -fPIC -shared -o $@ $(filter %.c,$^) -ldl

# What calls a fuzz target: our own driver, or libFuzzer (make fuzz).
FUZZ_MAIN = $(BUILD)/tests/fuzz/driver.o
$(BUILD)/fuzz/websocket $(BUILD)/unit/websocket: $(BUILD)/cmd/nodeprofile/websocket.o
$(BUILD)/fuzz/cpuprofile: $(BUILD)/cmd/nodeprofile/cpuprofile.o $(BUILD)/cmd/nodeprofile/heapprofile.o
$(BUILD)/fuzz/cpulines: $(BUILD)/cmd/stackreport/cpulines.o $(BUILD)/cmd/stackreport/linecount.o
$(BUILD)/fuzz/datasource: $(BUILD)/cmd/perf-script/datasource.o
$(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/fuzz/format_*.c)): \
	$(filter-out %/main.o,$(call PROGRAM_OBJ,stackcollapse))
$(FUZZ): $(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/common.a $(filter %.o,$(FUZZ_MAIN))
	@mkdir -p $(@D)
	$(LINK) $(filter-out %.o,$(FUZZ_MAIN))

HAS_VERSION = $(addprefix $(BUILD)/,common/base/opt.o cmd/stackrecord/capture/machine.o tests/unit/opt.o)
$(HAS_VERSION): ONLY_HERE = -DVERSION='"$(VERSION)"'
$(HAS_VERSION): $(BUILD)/version
# What a source includes is noted for $(BUILD)/..., as make knows the object whatever the folder is called next time.
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call step,CC $<) $(CC) $(CPPFLAGS_ALL) $(ONLY_HERE) $(CFLAGS_ALL) -MT '$$(BUILD)/$*.o' -c -o $@ $<

# The scripts of the three pictures: in one function cmd/flamesvg/ui/start.js and what it imports. Here are the parts that
# are others in each picture. What the script of an SVG waits for is wait.js; that of a page, which is async, waits for
# its table.
UI_perl = profile=nodes paint=svgpaint viewport=svgwindow panels=nopanels moresteps=nopanels
UI_svg = profile=decode tabletext=plaintext paint=svgpaint viewport=svgwindow panels=nopanels moresteps=nopanels
UI_html = profile=decode tabletext=packedtext paint=canvaspaint viewport=canvaswindow panels=pagepanels moresteps=pagesteps
SCRIPTS_OF_PICTURES = $(patsubst %,$(BUILD)/gen/%.js,perl svg html wait)
SQUEEZE = sed -f cmd/flamesvg/ui/squeeze.sed | sed -e :join -e '/[({,;&|+?:=]$$/{N;s/\n//;b join' -e '}'
$(SCRIPTS_OF_PICTURES): $(BUILD)/gen/%.js: $(wildcard cmd/flamesvg/ui/*) Makefile
	@mkdir -p $(@D)
	@awk -f cmd/flamesvg/ui/join.awk cmd/flamesvg/ui $(if $(UI_$*),start $(UI_$*),$*) > $@.joined
	$(call step,GEN $@) { echo "($(if $(filter html,$*),async )function () {"; echo "'use strict';"; $(SQUEEZE); echo "})();"; } < $@.joined > $@.new
	@mv $@.new $@
	@rm $@.joined
# In a page with source lines, this comes in place of the last line of the script of a page.
$(BUILD)/gen/lines.js: $(wildcard cmd/flamesvg/ui/*) Makefile
	@mkdir -p $(@D)
	$(call step,GEN $@) { awk -v alone=1 -f cmd/flamesvg/ui/join.awk cmd/flamesvg/ui lines | $(SQUEEZE); echo "})();"; } > $@.new
	@mv $@.new $@
STYLES = $(BUILD)/gen/flame.css $(BUILD)/gen/lines.css
$(STYLES): $(BUILD)/gen/%.css: cmd/flamesvg/ui/squeeze.sed cmd/flamesvg/ui/%.css Makefile
	@mkdir -p $(@D)
	@< cmd/flamesvg/ui/$*.css $(SQUEEZE) > $@.new
	@mv $@.new $@

# The script and the style become string literals. They are written into CDATA sections of an SVG in any encoding,
# and into elements of HTML, so they must not contain what ends those, and be ASCII only.
SCRIPT_TEXTS = $(patsubst %.js,%_js.h,$(SCRIPTS_OF_PICTURES) $(BUILD)/gen/lines.js)
$(STYLES:.css=_css.h): $(BUILD)/gen/%_css.h: $(BUILD)/gen/%.css
$(SCRIPT_TEXTS): $(BUILD)/gen/%_js.h: $(BUILD)/gen/%.js
$(STYLES:.css=_css.h) $(SCRIPT_TEXTS):
	@! LC_ALL=C grep -n -i -e ']]>' -e '</s' -e '<!--' -e '[^ -~]' $< /dev/null
	$(call step,GEN $@) { echo 'static const char $(basename $(@F))[] ='; sed 's/[\\"?]/\\&/g; s/.*/    "&\\n"/' $<; echo '    "";'; } > $@.new
	@mv $@.new $@
# Their hashes, for the content security policy of --html.
$(BUILD)/gen/csp.h: $(BUILD)/gen/html.js $(BUILD)/gen/lines.js $(STYLES) cmd/flamesvg/csp.awk
	@{ sed '$$d' $(BUILD)/gen/html.js; cat $(BUILD)/gen/lines.js; } > $@.lines
	$(call step,GEN $@) printf '#define CSP_%s "%s"\n' \
		$$(for file in SCRIPT=$(BUILD)/gen/html.js LINES_SCRIPT=$@.lines STYLE=$(BUILD)/gen/flame.css \
			LINES_STYLE=$(BUILD)/gen/lines.css; do \
			echo "$${file%%=*}"; \
			sha256sum "$${file#*=}" | awk -f cmd/flamesvg/csp.awk || exit 1; \
		done) > $@.new
	@mv $@.new $@
	@rm $@.lines
$(BUILD)/cmd/flamesvg/svg.o $(BUILD)/cmd/flamesvg/html.o: ONLY_HERE = -I$(BUILD)
$(BUILD)/cmd/flamesvg/svg.o: $(BUILD)/gen/perl_js.h $(BUILD)/gen/svg_js.h $(BUILD)/gen/wait_js.h $(BUILD)/gen/flame_css.h
$(BUILD)/cmd/flamesvg/html.o: $(BUILD)/gen/html_js.h $(BUILD)/gen/lines_js.h $(STYLES:.css=_css.h) $(BUILD)/gen/csp.h

# These files are written only when their text changes: other flags, another version, or a source that was removed, then
# rebuild what depends on them.
$(BUILD)/flags: export TEXT = $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL)
$(BUILD)/ldflags: export TEXT = $(LDFLAGS_ALL)
$(BUILD)/version: export TEXT = $(VERSION)
$(BUILD)/sources: export TEXT = $(SOURCES)
$(BUILD)/flags $(BUILD)/ldflags $(BUILD)/version $(BUILD)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$$TEXT" | cmp -s - $@ || printf '%s\n' "$$TEXT" > $@

-include $(patsubst %.o,%.d,$(COMMON_OBJ) $(foreach p,$(PROGRAMS),$(call PROGRAM_OBJ,$(p))) \
	$(UNIT_OBJ) $(FUZZ_OBJ) $(BUILD)/tests/fuzz/driver.o $(TEST_TOOLS:$(BUILD)/%=$(BUILD)/tests/%.o) \
	$(BENCH_TOOLS:$(BUILD)/bench/%=$(BUILD)/tests/bench/%.o))

# A file for each program and shell, made from the program's --help.
define completion
$(BUILD)/completion/$(1)/$(2): $(BUILD)/bin/% package/completion/options.awk package/completion/$(1).awk
	@mkdir -p $$(@D)
	@$$< --help > $$@.help
	$$(call step,GEN $$@) awk -v program=$$* -f package/completion/options.awk -f package/completion/$(1).awk $$@.help > $$@
	@rm $$@.help
endef
$(eval $(call completion,bash,%))
$(eval $(call completion,zsh,_%))
$(eval $(call completion,fish,%.fish))

# Testing

CHECKS = check check-live check-browser check-all
$(CHECKS): all unit fuzz-targets completions $(BENCH_TOOLS)
check: PARTS = unit bats conform fuzz
check-live: PARTS = live
check-browser: PARTS = browser
check-all: PARTS = unit bats conform fuzz browser robust package $(if $(SAN),,ports lint bench) live
$(CHECKS):
	@BUILD=$(BUILD) SAN=$(SAN) tests/check.sh $(PARTS)

lint: all
	@BUILD=$(BUILD) tests/check.sh lint

demo: all
	@tests/demo/demo.sh $(BUILD)/bin demo.svg

screenshots: all
	tests/browser/screenshots.sh $(BUILD) $(SHOTS)

FUZZ_SECONDS = 30
fuzz:
	$(MAKE) BUILD=$(BUILD)/libfuzzer CC=clang SAN=address,undefined,float-cast-overflow,fuzzer-no-link \
		FUZZ_MAIN=-fsanitize=fuzzer fuzz-targets
	tests/fuzz/run.sh $(BUILD)/libfuzzer/fuzz $(FUZZ_SECONDS)

# Measuring

$(BENCH_TOOLS): $(BUILD)/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/common.a
	@mkdir -p $(@D)
	$(LINK)

bench: all $(BENCH_TOOLS) $(BUILD)/tool/inlinedcalls
	@status=0; tests/bench/bench.py $(BUILD) $(ROWS) || status=1; \
	[ -n "$(ROWS)" ] || $(MAKE) --no-print-directory bench-browser || status=1; exit $$status

bench-browser: all
	@if command -v node > /dev/null; then node tests/browser/bench.js $(BUILD) $(FRAMES); \
	else echo "no node: the pictures are not measured in a browser"; fi

RECORD_SECONDS = 30
bench-record: all $(BENCH_TOOLS)
	tests/bench/recorder.py $(BUILD) $(RECORD_SECONDS)

bench-table:
	tests/bench/table.py tests/bench/RESULTS.md $(wildcard $(BUILD)/bench.json $(BUILD)/bench-browser.json)

bench-check: all
	@BUILD=$(BUILD) tests/check.sh bench

bench-limits: all
	BIN=$(BUILD)/bin tests/bench/limits.sh tests/bench/limits

# Installing

MAN = $(wildcard man/*.[1-8])

install: all completions
	mkdir -p "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(LIBEXECDIR)/programs" \
		"$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	install $(BIN) "$(DESTDIR)$(BINDIR)"
	install $(COMPAT_SCRIPTS) "$(DESTDIR)$(LIBEXECDIR)"
	for pair in $(COMPAT); do \
		ln -sfr "$(DESTDIR)$(BINDIR)/$${pair#*:}" "$(DESTDIR)$(LIBEXECDIR)/programs/$${pair%:*}" || exit 1; \
	done
	for page in $(MAN); do \
		install -D -m 644 "$$page" "$(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}" || exit 1; \
	done
	install -m 644 $(BASH_COMPLETIONS) "$(DESTDIR)$(BASHDIR)"
	install -m 644 $(ZSH_COMPLETIONS) "$(DESTDIR)$(ZSHDIR)"
	install -m 644 $(FISH_COMPLETIONS) "$(DESTDIR)$(FISHDIR)"

uninstall:
	for program in $(PROGRAMS) $(SCRIPTS); do \
		rm -f "$(DESTDIR)$(BINDIR)/$$program" "$(DESTDIR)$(BASHDIR)/$$program" \
			"$(DESTDIR)$(ZSHDIR)/_$$program" "$(DESTDIR)$(FISHDIR)/$$program.fish"; \
	done
	for page in $(MAN); do \
		rm -f "$(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}"; \
	done
	for pair in $(COMPAT); do \
		rm -f "$(DESTDIR)$(LIBEXECDIR)/$${pair%:*}" "$(DESTDIR)$(LIBEXECDIR)/programs/$${pair%:*}"; \
	done
	rmdir "$(DESTDIR)$(LIBEXECDIR)/programs" "$(DESTDIR)$(LIBEXECDIR)" 2> /dev/null || :

# Packages

# musl's compiler, where it is there: with glibc the programs are larger.
STATIC_CC = $(if $(shell command -v musl-gcc),musl-gcc,$(CC))
STATIC_CFLAGS = -O2
STATIC = $(BUILD)/static
DEB_CFLAGS = -O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2
DEB = $(BUILD)/deb

static-programs:
	rm -rf "$(STATIC)/root"
	$(MAKE) --no-print-directory BUILD=$(STATIC) CC="$(STATIC_CC)" CFLAGS="$(STATIC_CFLAGS)" LDFLAGS='-static -s' \
		DESTDIR=$(STATIC)/root PREFIX= install

static: static-programs
	VERSION=$(VERSION) package/make.sh tarball $(STATIC)/root $(BUILD)/flamepipe-$(VERSION)-linux-$(shell uname -m).tar.gz

npm: static-programs
	VERSION=$(VERSION) package/make.sh npm $(STATIC)/root $(BUILD)/flamepipe-$(VERSION).tgz

deb:
	rm -rf "$(DEB)/root"
	$(MAKE) --no-print-directory BUILD=$(DEB) CFLAGS='$(DEB_CFLAGS)' \
		LDFLAGS='-s -Wl,-z,relro,-z,now' DESTDIR=$(DEB)/root PREFIX=/usr ZSHDIR=/usr/share/zsh/vendor-completions install
	VERSION=$(VERSION) MAINTAINER='$(MAINTAINER)' package/make.sh deb $(DEB)/root \
		$(BUILD)/flamepipe_$(VERSION)_$(shell dpkg --print-architecture).deb

dist:
	@mkdir -p $(BUILD)
	VERSION=$(VERSION) package/make.sh dist $(BUILD)/flamepipe-$(VERSION).tar.gz

clean:
	rm -rf build

FORCE:
.PHONY: all unit fuzz-targets completions $(CHECKS) lint demo screenshots fuzz bench bench-browser bench-record bench-table bench-check bench-limits install uninstall static static-programs npm deb dist clean FORCE
.DELETE_ON_ERROR:
