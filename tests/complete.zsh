# Prints what zsh offers when Tab is pressed at the end of a command line, and then the line that it becomes in "<>".
#
# usage: zsh -f complete.zsh FOLDER LINE      (FOLDER: of the completions)
zmodload zsh/zpty
zpty shell 'COLUMNS=200 TERM=dumb zsh -f -i'
# The words "rea" and "dy" come together when they are printed, not when the line is echoed.
zpty -w shell "PS1=; fpath=(${(q)1} \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=1000; setopt no_beep; echo rea''dy"
while zpty -r shell line && [[ $line != ready* ]]; do :; done
zpty -w -n shell "$2"$'\t\t'
zpty -w shell $'\C-a print -r -- "<\C-e>"; echo rea\'\'dy'
while zpty -r shell line && [[ $line != ready* ]]; do
    print -r -- "${line//$'\r'/}"
done
zpty -d shell
