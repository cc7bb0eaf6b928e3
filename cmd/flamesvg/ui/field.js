/* The field in which the search is typed: an input in the picture instead of window.prompt, so that
 * matches show while the user types; and browsers allow it in embedded documents. */

const FIELD_WIDTH = 240;

function makeField(graph) {
    const box = document.createElementNS(SVG, 'foreignObject');
    const input = document.createElementNS(XHTML, 'input');
    box.setAttribute('height', graph.fontSize + 12);
    Object.assign(input, { placeholder: 'regular expression', spellcheck: false });
    input.setAttribute('aria-label', 'Search for a regular expression');
    input.addEventListener('input', () => search(graph, input.value));
    input.addEventListener('blur', () => show(box, false));
    box.append(input);
    graph.svg.append(box);
    return { box, input };
}

/* y of the uppermost part of the picture that can be seen. */
function visibleTop(graph) {
    return Math.max(new DOMPoint(0, 0).matrixTransform(graph.svg.getScreenCTM().inverse()).y, 0);
}

/* Beside the Search button, or where the page is scrolled to. */
function openField(graph) {
    if (!graph.field)
        graph.field = makeField(graph);
    const { box, input } = graph.field;
    const right = graph.searchButton.getAttribute('x') - 2 * TEXT_PAD;
    const home = graph.searchButton.getAttribute('y') - graph.fontSize - 4;
    box.setAttribute('x', Math.max(right - FIELD_WIDTH, graph.xpad));
    box.setAttribute('y', Math.max(home, visibleTop(graph) + TEXT_PAD));
    box.setAttribute('width', Math.min(FIELD_WIDTH, right - graph.xpad));
    show(box, true);
    input.value = graph.term;
    input.focus({ preventScroll: true });
    input.select();
}

function markField(graph) {
    if (graph.field)
        graph.field.input.setAttribute('aria-invalid', graph.trouble !== '');
}

/* Keeps the search. The focus goes to the match that Enter has found last, or where it was. */
function leaveField(graph) {
    focusFrame(graph, graph.current, { preventScroll: true });
}

function cancelField(graph) {
    search(graph, '');
    leaveField(graph);
}
