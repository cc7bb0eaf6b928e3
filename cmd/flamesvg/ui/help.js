/* The list of keys that "?" shows. */

const HELP = [
    ['Click, Enter', 'zoom into a frame'], ['Tab, arrows', 'go from frame to frame'],
    ['End', 'go to the leaf, along the widest callees'],
    ['Backspace', 'zoom out by one level'], ['Home', 'zoom out, and go to the root'],
    ['Ctrl-F or /', 'search for a regular expression'],
    ['Enter, Shift-Enter', 'in the search: next match, previous match'],
    ['Tab', 'in the search: leave the field and keep the search'],
    ['Ctrl-I', 'ignore case, also if the search has capitals'],
    ['Escape', 'end the search; without one, zoom out'], ['?', 'show or hide this list'],
];

function addText(group, x, y, text) {
    const element = document.createElementNS(SVG, 'text');
    element.setAttribute('x', x);
    element.setAttribute('y', y);
    element.textContent = text;
    group.append(element);
}

function makeHelp(graph) {
    const line = graph.fontSize * 1.5;
    const group = document.createElementNS(SVG, 'g');
    const rect = document.createElementNS(SVG, 'rect');
    const [left, right] = [0, 1].map(column =>
        Math.max(...HELP.map(row => textWidth(graph, row[column]))));
    group.setAttribute('class', 'help');
    group.setAttribute('role', 'note');
    rect.setAttribute('width', left + right + 4 * line);
    rect.setAttribute('height', (HELP.length + 1) * line);
    rect.setAttribute('fill', '#fff');
    rect.setAttribute('stroke', '#888');
    group.append(rect);
    HELP.forEach(([key, text], row) => {
        addText(group, line, (row + 1.25) * line, key);
        addText(group, left + 2.5 * line, (row + 1.25) * line, text);
    });
    group.addEventListener('click', () => toggleHelp(graph));
    return group;
}

function setHeight(graph, height) {
    graph.svg.setAttribute('height', height);
    graph.svg.setAttribute('viewBox', `0 0 ${graph.room + 2 * graph.xpad} ${height}`);
}

/* A picture that is lower than the list is higher for as long as the list is shown. */
function toggleHelp(graph) {
    if (graph.help) {
        graph.help.remove();
        graph.help = null;
        setHeight(graph, graph.height);
        return;
    }
    const y = visibleTop(graph) + graph.fontSize;
    graph.help = makeHelp(graph);
    graph.help.setAttribute('transform', `translate(${graph.xpad} ${y})`);
    graph.svg.append(graph.help);
    const bottom = y + Number(graph.help.firstChild.getAttribute('height')) + graph.fontSize;
    setHeight(graph, Math.max(graph.height, Math.ceil(bottom)));
}
