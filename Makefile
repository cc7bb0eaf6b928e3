# make            programs in build/bin, the Perl scripts' names in build/compat
# make check      everything that is promised, tested
# make demo       the main job on this machine: leaves demo.svg
# make bench      how fast, beside wc -l
# make install    under $(DESTDIR)$(PREFIX)
include config.mk

comma := ,
BUILD = build$(if $(SAN),/san)

CPPFLAGS_ALL = -I. -I$(BUILD)/gen -D_POSIX_C_SOURCE=200809L -DVERSION='"$(VERSION)"' $(CPPFLAGS)
CFLAGS_ALL = -std=c11 -Wall -Wextra -Wshadow -Wmissing-prototypes -Wconversion -MMD -MP $(CFLAGS) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LDFLAGS_ALL = $(LDFLAGS) $(if $(SAN),-fsanitize=$(SAN))

PROGRAMS = perf-script stackfilter stackcollapse flamesvg stackdiff
# The Perl scripts' names, each with the program that answers to it.
COMPAT = stackcollapse-perf.pl:stackcollapse flamegraph.pl:flamesvg difffolded.pl:stackdiff

COMMON_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard common/*/*.c))
BIN = $(PROGRAMS:%=$(BUILD)/bin/%)
LINKS = $(foreach pair,$(COMPAT),$(BUILD)/compat/$(firstword $(subst :, ,$(pair))))

all: $(BIN) $(LINKS)

define program
$(BUILD)/bin/$(1): $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/$(1)/*.c)) $(BUILD)/common.a
	@mkdir -p $$(@D)
	$$(CC) $$(LDFLAGS_ALL) -o $$@ $$^ -lm
endef
$(foreach p,$(PROGRAMS),$(eval $(call program,$(p))))

define link
$(BUILD)/compat/$(word 1,$(1)): $(BUILD)/bin/$(word 2,$(1))
	@mkdir -p $$(@D)
	ln -sf ../bin/$(word 2,$(1)) $$@
	@touch -h $$@
endef
$(foreach pair,$(COMPAT),$(eval $(call link,$(subst :, ,$(pair)))))

$(BUILD)/common.a: $(COMMON_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c -o $@ $<

clean:
	rm -rf build

.PHONY: all clean
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
