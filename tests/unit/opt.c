#include "tests/unit/test.h"

#include <stdint.h>

#include "common/base/opt.h"
#include "tests/unit/child.h"

enum {
    TITLE = 1,
    WIDTH,
    FACTOR,
    REVERSE,
    INVERTED,
    HASH,
    COLORS,
    NEGATE,
    CP,
    TRUNCATE,
    LIVE,
    MAPS
};

static const struct opt table[] = {
    OPT_HEADING("Texts and sizes"),
    {"title", 0, OPT_TEXT, false, TITLE, "TEXT", "the title"},
    {"width", 'w', OPT_INT, false, WIDTH, "N", "the width"},
    {"factor", 0, OPT_NUM, false, FACTOR, "X",
     "a factor that is explained in so many words that one line of eighty does not hold them"},
    OPT_HEADING("Other"),
    {"reverse", 'r', OPT_FLAG, false, REVERSE, NULL, "reverse"},
    {"inverted", 'i', OPT_FLAG, false, INVERTED, NULL, "upside down"},
    {"hash", 0, OPT_FLAG, false, HASH, NULL, "by hash"},
    {"colors", 0, OPT_CHOICE, false, COLORS, "hot|mem|memory|java", "the palette"},
    {"negate", 0, OPT_FLAG, false, NEGATE, NULL, "negate"},
    {"cp", 0, OPT_FLAG, false, CP, NULL, "palette.map"},
    {"truncate-at-some-length", 0, OPT_CHOICE, true, TRUNCATE, "left|right", "which end"},
    {"live", 0, OPT_MAYBE_NUM, true, LIVE, "[=SECONDS]", "again and again"},
    {"maps", 0, OPT_MAYBE_TEXT, true, MAPS, "[=DIR]", "by maps"},
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "prog",
    .synopsis = "[option ...] [file ...]",
    .about = "Draws.",
    .table = table,
    .usage_status = 2,
};

static const struct opt_program perl_program = {
    .name = "prog.pl",
    .synopsis = "FILE",
    .about = "Draws.",
    .table = table,
    .usage_status = 255,
    .perl_help = true,
};

enum { WORDS = 10 };

/* A command line's words and who reads them. */
struct line {
    const struct opt_program *program;
    const char *words[WORDS];
};

/* Prints what is read: each option's name and value, then the operands. */
static void
print_options(void *arg)
{
    const struct line *line = arg;
    char text[WORDS][64] = {"prog"}, *argv[WORDS + 1] = {text[0]};
    int argc = 1;
    for (size_t i = 0; line->words[i] != NULL; i++, argc++) {
        snprintf(text[argc], sizeof text[argc], "%s", line->words[i]);
        argv[argc] = text[argc];
    }
    struct opt_reader r;
    opt_start(&r, line->program, NULL, argc, argv);
    for (int id; (id = opt_next(&r)) != OPT_DONE;)
        switch (id) {
        case TITLE:
            printf("title=%s ", r.value);
            break;
        case WIDTH:
            printf("width=%ld ", r.number);
            break;
        case FACTOR:
            printf("factor=%g ", r.real);
            break;
        case LIVE:
            r.value != NULL ? printf("live=%g ", r.real) : printf("live ");
            break;
        case MAPS:
            r.value != NULL ? printf("maps=%s ", r.value) : printf("maps ");
            break;
        case COLORS:
        case TRUNCATE:
            printf("choice=%ld ", r.number);
            break;
        default:
            printf("flag=%d ", id);
        }
    printf("%s%s|", r.strict ? "strict " : "", r.quiet ? "quiet " : "");
    for (int i = 0; i < r.noperands; i++)
        printf(" %s", r.argv[i]);
    fflush(stdout);
    _exit(0);
}

static struct child child;

/* What print_options prints for the command line, or the messages if it is wrong. */
static struct span
reads(struct line line)
{
    child_run(&child, print_options, &line);
    return child.status == 0 ? child.out : child.err;
}

#define READS(...)      reads((struct line){&program, {__VA_ARGS__, NULL}})
#define PERL_READS(...) reads((struct line){&perl_program, {__VA_ARGS__, NULL}})

#define USAGE "\nusage: prog [option ...] [file ...]\ntry 'prog --help' for the options\n"

TEST("an option has one dash or two, and its value after = or in the next word")
{
    CHECK_TEXT(READS("--title=x"), "title=x |");
    CHECK_TEXT(READS("-title=x"), "title=x |");
    CHECK_TEXT(READS("--title", "x"), "title=x |");
    CHECK_TEXT(READS("-title", "x"), "title=x |");
    CHECK_TEXT(READS("--title="), "title= |");
    CHECK_TEXT(READS("--title", "--hash"), "title=--hash |");
    CHECK_TEXT(READS("--title=a=b"), "title=a=b |");
}

TEST("a value that may be left out stands after = only")
{
    CHECK_TEXT(READS("--live"), "live |");
    CHECK_TEXT(READS("--live=0.5", "x"), "live=0.5 | x");
    CHECK_TEXT(READS("--live", "file"), "live | file");
    CHECK_TEXT(READS("--live", "2"),
               "prog: option --live: its value stands after '=': --live=2" USAGE);
    CHECK_TEXT(READS("--maps", "x"), "maps | x");
    CHECK_TEXT(READS("--maps=x"), "maps=x |");
    CHECK_TEXT(READS("--live="), "prog: option --live: '' is not a number" USAGE);
    CHECK_TEXT(READS("--live=x"), "prog: option --live: 'x' is not a number" USAGE);
}

TEST("--strict is one row for every program that skips lines")
{
    CHECK_TEXT(READS("--strict"), "strict |");
}

TEST("any letter case and any unique prefix of a name will do")
{
    CHECK_TEXT(READS("--TITLE=x", "--Ti=y", "--t=z"), "title=x title=y title=z |");
    CHECK_TEXT(READS("--color=java", "--rev"), "choice=3 flag=4 |");
}

TEST("a prefix of several names is ambiguous, a whole name never")
{
    CHECK_TEXT(READS("--c"), "prog: option '--c' is ambiguous" USAGE);
    CHECK(child.status == 2);
    CHECK_TEXT(READS("--cp"), "flag=9 |");
}

TEST("a prefix that fits a Perl option never means one of ours")
{
    CHECK_TEXT(READS("--t=x"), "title=x |");
    CHECK_TEXT(READS("--tr=right"), "choice=1 |");
    CHECK_TEXT(READS("--v"), "prog (flamepipe) " VERSION "\n");
}

TEST("letters stand for their options, and flags go in one word")
{
    CHECK_TEXT(READS("-r", "-i"), "flag=4 flag=5 |");
    CHECK_TEXT(READS("-ri", "x"), "flag=4 flag=5 | x");
    CHECK_TEXT(READS("-w", "12"), "width=12 |");
    CHECK_TEXT(READS("-w=12"), "width=12 |");
    CHECK_TEXT(READS("--ri"), "prog: unknown option '--ri'" USAGE);
    CHECK_TEXT(READS("-rx"), "prog: unknown option '-rx'" USAGE);
}

TEST("options and operands come in any order, and -- ends the options")
{
    CHECK_TEXT(READS("a", "--hash", "b", "-", "--negate", "c"), "flag=6 flag=8 | a b - c");
    CHECK_TEXT(READS("a", "--", "--hash", "--", "-"), "| a --hash -- -");
    CHECK_TEXT(READS("--title", "--", "--"), "title=-- |");
}

TEST("an option that is unknown is wrong usage")
{
    CHECK_TEXT(READS("--nope"), "prog: unknown option '--nope'" USAGE);
    CHECK(child.status == 2);
    CHECK_TEXT(child.out, "");
    CHECK_TEXT(READS("--titles=x"), "prog: unknown option '--titles=x'" USAGE);
    CHECK_TEXT(READS("---title=x"), "prog: unknown option '---title=x'" USAGE);
    CHECK_TEXT(READS("--=x"), "prog: unknown option '--=x'" USAGE);
    CHECK_TEXT(READS("-=x"), "prog: unknown option '-=x'" USAGE);
}

TEST("a missing value, and one for a flag, is wrong usage")
{
    CHECK_TEXT(READS("--title"), "prog: option --title needs a value" USAGE);
    CHECK_TEXT(READS("--hash=1"), "prog: option --hash takes no value" USAGE);
}

TEST("numbers are read whole or not at all")
{
    CHECK_TEXT(READS("--width=12", "--width=-3", "--width=+4"), "width=12 width=-3 width=4 |");
    CHECK_TEXT(READS("--factor=.5", "--factor=1e3", "--factor=-2"),
               "factor=0.5 factor=1000 factor=-2 |");
    static const char *const bad[] = {"--width=",     "--width=12x",   "--width=1.5",
                                      "--width= 1",   "--factor=",     "--factor=x",
                                      "--factor=nan", "--factor=inf",  "--factor=1,5",
                                      "--width=-",    "--factor=+inf", "--factor=-nan"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        READS(bad[i]);
        CHECK(child.status == 2);
        CHECK(span_search(child.err, SPAN("is not a number\n")) != SPAN_NONE);
    }
}

TEST("a number that does not fit is too large or too small")
{
    CHECK_TEXT(READS("--width=9999999999999999999"),
               "prog: option --width: 9999999999999999999 is too large" USAGE);
    CHECK_TEXT(READS("--width=-9999999999999999999"),
               "prog: option --width: -9999999999999999999 is too small" USAGE);
    CHECK_TEXT(READS("--factor=1e999"), "prog: option --factor: 1e999 is too large" USAGE);
    CHECK_TEXT(READS("--factor=-1e999"), "prog: option --factor: -1e999 is too small" USAGE);
    CHECK_TEXT(READS("--factor=1e-999"), "factor=0 |");
}

TEST("control characters of the command line do not reach the terminal")
{
    CHECK_TEXT(READS("--no\033[2J\n"), "prog: unknown option '--no?[2J?'" USAGE);
    CHECK_TEXT(READS("--width=\xc2\x9b"
                     "2J"),
               "prog: option --width: '??2J' is not a number" USAGE);
    CHECK_TEXT(READS("--width=\x9b"
                     "2J\xc3\xa9"),
               "prog: option --width: '?2J\xc3\xa9' is not a number" USAGE);
}

TEST("a choice is a whole name or a unique prefix, in any letter case")
{
    CHECK_TEXT(READS("--colors=hot", "--colors=JAVA", "--colors=j"),
               "choice=0 choice=3 choice=3 |");
    CHECK_TEXT(READS("--colors=mem", "--colors=memo"), "choice=1 choice=2 |");
    static const char *const bad[] = {"--colors=me", "--colors=", "--colors=hotter",
                                      "--colors=hot|mem"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        READS(bad[i]);
        CHECK(child.status == 2);
        CHECK(span_search(child.err, SPAN("is not one of hot|mem|memory|java\n")) != SPAN_NONE);
    }
}

static const char help_text[] =
    "usage: prog [option ...] [file ...]\n"
    "Draws.\n"
    "\n"
    "Texts and sizes:\n"
    "  --title TEXT            the title\n"
    "  -w, --width N           the width\n"
    "  --factor X              a factor that is explained in so many words that one\n"
    "                          line of eighty does not hold them\n"
    "\n"
    "Other:\n"
    "  -r, --reverse           reverse\n"
    "  -i, --inverted          upside down\n"
    "  --hash                  by hash\n"
    "  --colors hot|mem|memory|java\n"
    "                          the palette\n"
    "  --negate                negate\n"
    "  --cp                    palette.map\n"
    "  --truncate-at-some-length left|right\n"
    "                          which end\n"
    "  --live[=SECONDS]        again and again\n"
    "  --maps[=DIR]            by maps\n"
    "  --strict                exit with status 1 if any line was "
    "skipped\n"
    "  -q, --quiet             print no warnings\n"
    "  -h, --help              print this text\n"
    "  -V, --version           print the version\n";

TEST("--help prints every option, below its heading, on standard output and exits 0")
{
    CHECK_TEXT(READS("--help"), help_text);
    CHECK(child.status == 0);
    CHECK_TEXT(child.err, "");
    CHECK_TEXT(READS("-h"), help_text);
}

TEST("under a Perl name --help goes to standard error with the script's status")
{
    struct span err = PERL_READS("--help");
    CHECK(child.status == 255);
    CHECK_TEXT(child.out, "");
    CHECK(span_starts(err, SPAN("usage: prog.pl FILE\nDraws.\n\nTexts and sizes:\n")));
    PERL_READS("--nope");
    CHECK(child.status == 255);
}

TEST("under a Perl name nothing after = is no value, but an empty word is one")
{
    CHECK(span_starts(PERL_READS("--title="), SPAN("prog.pl: option --title needs a value\n")));
    CHECK(child.status == 255);
    CHECK_TEXT(PERL_READS("--title", ""), "title= |");
}

struct stored {
    const char *text;
    double real;
    int choice;
    bool flag, negated;
};

static const struct opt stored_table[] = {
    {"text", 0, OPT_TEXT, true, OPT_AT(struct stored, text), "TEXT", "a text"},
    {"real", 0, OPT_NUM, true, OPT_AT(struct stored, real), "X", "a number"},
    {"choice", 0, OPT_CHOICE, true, OPT_AT(struct stored, choice), "left|right", "which end"},
    {"flag", 'f', OPT_FLAG, true, OPT_AT(struct stored, flag), NULL, "a flag"},
    {"negated", 0, OPT_NEGATABLE, true, OPT_AT(struct stored, negated), NULL, "another"},
    OPT_COMMON,
};

TEST("the reader stores options itself, also those of one letter, and returns the others")
{
    const struct opt_program p = {.name = "prog", .table = stored_table};
    char words[][16] = {"prog", "--text=a", "--real=.5", "--choice=ri", "-qf", "--no-negated", "x"};
    char *argv[7];
    struct stored s = {.negated = true};
    struct opt_reader r;
    for (int i = 0; i < 7; i++)
        argv[i] = words[i];
    opt_start(&r, &p, &s, 7, argv);
    CHECK(opt_next(&r) == OPT_DONE);
    CHECK_TEXT(span_cstr(s.text), "a");
    CHECK(s.real == 0.5 && s.choice == 1 && s.flag && !s.negated);
    CHECK(r.quiet && !r.strict && r.noperands == 1);
}

static const struct opt negatable_table[] = {
    {"shorten-pkgs", 0, OPT_NEGATABLE, false, TITLE, NULL, "shorten"},
    {"no-pkgs", 0, OPT_NEGATABLE, false, WIDTH, NULL, "none"},
    {"nose", 0, OPT_FLAG, false, FACTOR, NULL, "smell"},
    OPT_COMMON,
};

static const struct opt_program negatable_program = {
    .name = "prog.pl", .synopsis = "FILE", .about = "", .table = negatable_table};

/* The name and number of the first option. */
static void
print_negated(void *word)
{
    char name[] = "prog.pl", text[64], *argv[] = {name, text, NULL};
    struct opt_reader r;
    snprintf(text, sizeof text, "%s", (const char *)word);
    opt_start(&r, &negatable_program, NULL, 2, argv);
    opt_next(&r);
    printf("%s %ld", r.name, r.number);
    fflush(stdout);
}

static struct span
negated(const char *word)
{
    child_run(&child, print_negated, (void *)(uintptr_t)word);
    return child.out;
}

TEST("a negatable flag is unset by no- or no before its name, also shortened")
{
    CHECK_TEXT(negated("--shorten-pkgs"), "shorten-pkgs 1");
    CHECK_TEXT(negated("--no-shorten-pkgs"), "shorten-pkgs 0");
    CHECK_TEXT(negated("--NOSHORTEN-PKGS"), "shorten-pkgs 0");
    CHECK_TEXT(negated("--no-sh"), "shorten-pkgs 0");
    CHECK_TEXT(negated("-s"), "shorten-pkgs 1");
    CHECK_TEXT(negated("--no-pkgs"), "no-pkgs 1");
    CHECK_TEXT(negated("--no-no-pkgs"), "no-pkgs 0");
    CHECK_TEXT(negated("--nos"), "");
    CHECK_TEXT(child.err, "prog.pl: option '--nos' is ambiguous\n"
                          "usage: prog.pl FILE\ntry 'prog.pl --help' for the options\n");
}

TEST("--version prints name and version and exits 0")
{
    CHECK_TEXT(READS("--version"), "prog (flamepipe) " VERSION "\n");
    CHECK(child.status == 0);
    CHECK_TEXT(READS("-V"), "prog (flamepipe) " VERSION "\n");
}

static void
help_into_full_disk(void *arg)
{
    (void)arg;
    if (freopen("/dev/full", "w", stdout) == NULL)
        _exit(98);
    char name[] = "prog", help[] = "--help", *argv[] = {name, help, NULL};
    struct opt_reader r;
    opt_start(&r, &program, NULL, 2, argv);
    opt_next(&r);
}

TEST("a --help that cannot be written is an error")
{
    child_run(&child, help_into_full_disk, NULL);
    CHECK(child.status == 1);
    CHECK_TEXT(child.err, "prog: standard output: No space left on device\n");
}

TEST("an empty command line has no options and no operands")
{
    CHECK_TEXT(reads((struct line){&program, {NULL}}), "|");
}

TEST("a program knows by which name it was called, whatever its folder")
{
    char bare[] = "prog.pl", path[] = "/a/b.pl/prog.pl", other[] = "/prog.pl/xprog.pl";
    CHECK(opt_called("prog.pl", 1, (char *[]){bare}));
    CHECK(opt_called("prog.pl", 1, (char *[]){path}));
    CHECK(!opt_called("prog.pl", 1, (char *[]){other}));
    CHECK(!opt_called("prog.pl", 0, (char *[]){NULL}));
}
