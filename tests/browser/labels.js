/* Evaluated in a page: the labels that are longer than their frame, and those that are cut although two
 * more characters fit, by the browser's own measure of them. Returns both numbers and an example. */
(() => {
    const PAD = 3;
    const long = [], cut = [];
    let seen = 0;
    for (const text of document.querySelectorAll('#frames > * > text')) {
        const frame = text.parentNode;
        const label = text.textContent;
        const name = frame.querySelector('title').textContent.replace(/ \([^(]*$/, '');
        if (getComputedStyle(frame).display === 'none')
            continue;
        const room = frame.querySelector('rect').getBoundingClientRect().width - 2 * PAD;
        seen += label !== '';
        if (label !== '' && text.getComputedTextLength() > room + 0.5)
            long.push(label);
        if (label === name)
            continue;
        const all = Array.from(name);
        const more = label === '' ? 2 : Array.from(label).length; /* the two dots are of its length */
        text.textContent = more >= all.length - 2 ? name : all.slice(0, more).join('') + '..';
        if (text.getComputedTextLength() <= room)
            cut.push(`${label} of ${name}`);
        text.textContent = label;
    }
    return `${seen > 5} ${long.length} long, ${cut.length} cut ` + JSON.stringify([long[0], cut[0]]);
})()
