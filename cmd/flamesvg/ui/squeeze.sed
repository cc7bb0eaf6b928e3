# Makes the picture's script shorter, and nothing else of it: comments at the end of a line or with lines of their own,
# empty lines, indentation and blanks around operators go. No text of the script has an operator between blanks. A
# blank after ] stays before >, since ]]> would end the CDATA section.
s| */\*[^*]*\*/$||
/^ *\/\*/,/\*\/$/d
/^$/d
s/^ *//
s/\([^]]\) \(>=*\) */\1\2/g
s/ \([=!+<-]*=\|=>\|&&\|||\|??\|[*<+?:-]\) /\1/g
s/) {$/){/
s/^\(} else \)*\(if\|for\|while\) (/\1\2(/
# Blanks beside other signs, before the first and after the last text or regular expression of a line. (Not those
# before >.)
:before
s/^\([^"'`/]*\)\(\([,;:{>%]\) \| \([}%]\)\)/\1\3\4/
t before
:after
s/\(\([,;:{>%]\) \| \([}%]\)\)\([^"'`/]*\)$/\2\3\4/
t after
