/* Names cut to the room that there is. */

/* At most `chars` characters of the name, with ".." in place of the rest. Array.from splits by
 * characters, so that no surrogate pair is cut in half. */
function cut(graph, name, chars) {
    const all = name.length > chars ? Array.from(name) : [];
    if (all.length <= chars)
        return name;
    return graph.cutLeft ? '..' + all.slice(2 - chars).join('')
                         : all.slice(0, chars - 2).join('') + '..';
}
