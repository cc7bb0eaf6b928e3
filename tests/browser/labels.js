/* Evaluated in a page, after the helpers of browse.js: the labels that are longer than their frame, and those
 * that are cut although two more characters fit, by the browser's own measure of them. Returns both numbers and an
 * example. */
const PAD = 3;
const long = [], cut = [];
const isLeft = document.querySelector('[data-truncate=left]') !== null;
const firstOf = (all, count) => isLeft ? '..' + all.slice(-count).join('') : all.slice(0, count).join('') + '..';
let seen = 0;
const ruler = document.createElementNS('http://www.w3.org/2000/svg', 'text');
ruler.setAttribute('text-rendering', 'geometricPrecision'); /* as the labels: else the widths may be rounded to pixels */
document.querySelector('#frames').append(ruler);
const width = (text) => {
    ruler.textContent = text;
    return ruler.getComputedTextLength();
};
for (const one of boxes()) {
    const text = label(one)?.textContent ?? '';
    const room = one.width - 2 * PAD;
    seen += text !== '';
    if (text !== '' && width(text) > room + 0.5)
        long.push(text);
    if (text === one.name)
        continue;
    const all = Array.from(one.name);
    const more = text === '' ? 2 : Array.from(text).length; /* the two dots are of its length */
    if (width(more >= all.length - 2 ? one.name : firstOf(all, more)) <= room)
        cut.push(`${text} of ${one.name}`);
}
ruler.remove();
return `${seen > 5} ${long.length} long, ${cut.length} cut ` + JSON.stringify([long[0], cut[0]]);
