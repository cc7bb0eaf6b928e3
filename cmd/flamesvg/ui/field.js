/* The field in which the search is typed. */

const FIELD_WIDTH = 240;

/* An input in the picture instead of window.prompt: matches show while the user types, and browsers
 * allow it in embedded documents. */
function makeField(graph) {
    const box = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
    const input = document.createElementNS('http://www.w3.org/1999/xhtml', 'input');
    const right = Number(graph.searchButton.getAttribute('x')) - 2 * TEXT_PAD;
    box.setAttribute('x', Math.max(right - FIELD_WIDTH, graph.xpad));
    box.setAttribute('y', graph.searchButton.getAttribute('y') - graph.fontSize - 4);
    box.setAttribute('width', Math.min(FIELD_WIDTH, graph.room));
    box.setAttribute('height', graph.fontSize + 12);
    Object.assign(input, { placeholder: 'regular expression', spellcheck: false });
    input.addEventListener('input', () => search(graph, input.value));
    input.addEventListener('blur', () => box.classList.add('hide'));
    box.append(input);
    graph.svg.append(box);
    return { box, input };
}

function openField(graph) {
    if (!graph.field)
        graph.field = makeField(graph);
    const { box, input } = graph.field;
    box.classList.remove('hide');
    input.value = graph.term;
    input.focus();
    input.select();
}

/* Enter keeps the search, Escape resets it. */
function leaveField(graph, event) {
    if (event.key === 'Escape')
        search(graph, '');
    focusFrame(graph, graph.current, { preventScroll: true });
}
