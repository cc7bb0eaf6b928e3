# Prints what a content security policy allows a script or a style by, from what sha256sum prints of it:
#
#     e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  flame.js
#
# becomes sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
# Three hexadecimal digits are 12 bits, which are two characters of base64; a last digit alone is one of them.
{
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    text = ""
    for (i = 1; i <= 64; i += 3) {
        bits = 0
        for (k = i; k < i + 3; k++)
            bits = bits * 16 + (k <= 64 ? index("0123456789abcdef", substr($1, k, 1)) - 1 : 0)
        text = text substr(letters, int(bits / 64) + 1, 1)
        if (i < 64)
            text = text substr(letters, bits % 64 + 1, 1)
    }
    print "sha256-" text "="
}
