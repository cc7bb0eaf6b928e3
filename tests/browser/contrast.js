/* Evaluated in a page: the contrast of each label with what is behind it, after WCAG 2.1
 * (https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio). Returns how many labels there are, the lowest
 * contrast, and the frame that has it. Colours are those that the browser computes. */
(() => {
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
    const labels = Array.from(document.querySelectorAll('#frames > * > text'))
        .filter((text) => text.textContent && getComputedStyle(text.parentNode).display !== 'none');
    let worst = { contrast: 21 };
    for (const text of labels) {
        const rect = getComputedStyle(text.previousElementSibling);
        const opacity = Number(rect.fillOpacity);
        for (const back of backgrounds(text.closest('svg'))) {
            const behind = numbers(rect.fill).map((c, n) => opacity * c + (1 - opacity) * back[n]);
            const found = contrast(numbers(getComputedStyle(text).fill), behind);
            if (found < worst.contrast)
                worst = { contrast: found, frame: text.parentNode.outerHTML };
        }
    }
    return `${labels.length > 0} ${worst.contrast >= 4.5} ` + (worst.contrast >= 4.5 ? '' : JSON.stringify(worst));
})()
