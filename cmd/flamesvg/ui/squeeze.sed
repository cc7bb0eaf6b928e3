# Makes the picture's script shorter, and nothing else of it: comments at the end of a line or with lines of their own,
# empty lines, indentation and blanks around operators go. No text of the script has an operator between blanks.
s| */\*[^*]*\*/$||
/^ *\/\*/,/\*\/$/d
/^$/d
s/^ *//
s/ \([=!+<-]*=\|=>\|&&\|||\|??\|[*<+?:-]\) /\1/g
s/) {$/){/
s/^\(} else \)*\(if\|for\|while\) (/\1\2(/
# Blanks after commas and semicolons, in lines that hold no text and no regular expression.
/["'`/]/!s/\([,;]\) /\1/g
