/* Evaluated in a page, after the helpers of browse.js: the contrast of each label with what is behind it, after
 * WCAG 2.1 (https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio). Returns whether there are labels, whether the lowest
 * contrast is 4.5 at least, and else where. Colours are those that the browser computes. */
const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
};
const backgrounds = (svg) => {
    const { fill } = getComputedStyle(svg.querySelector(':scope > rect'));
    return fill.startsWith('url') ? Array.from(svg.querySelectorAll('stop'),
        (stop) => numbers(getComputedStyle(stop).stopColor)) : [numbers(fill)];
};
/* The rectangle that is painted at this place; the page may be scrolled anywhere. */
const under = (svg, x, y) => Array.from(svg.querySelectorAll('#frames path')).findLast((path) =>
    path.isPointInFill(new DOMPoint(x, y).matrixTransform(path.getScreenCTM().inverse())));
let worst = { contrast: 21 }, seen = 0;
for (const svg of roots())
    for (const text of svg.querySelectorAll('#frames text')) {
        const at = text.getBoundingClientRect();
        const path = under(svg, at.left + 1, at.top + at.height / 2);
        const { fill, fillOpacity } = getComputedStyle(path);
        seen++;
        for (const back of backgrounds(svg)) {
            const behind = numbers(fill).map((c, n) => fillOpacity * c + (1 - fillOpacity) * back[n]);
            const found = contrast(numbers(getComputedStyle(text).fill), behind);
            if (found < worst.contrast)
                worst = { contrast: found, label: text.textContent, svg: svg.querySelector('#title').textContent };
        }
    }
return `${seen > 0} ${worst.contrast >= 4.5} ` + (worst.contrast >= 4.5 ? '' : JSON.stringify(worst));
